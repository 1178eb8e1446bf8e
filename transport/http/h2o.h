/* h2o as it must be included: its headers assume libuv unless told. */
#ifndef TRANSPORT_HTTP_H2O_H
#define TRANSPORT_HTTP_H2O_H

#define H2O_USE_LIBUV 0
#include <h2o.h>
#include <h2o/http1.h>

#endif
