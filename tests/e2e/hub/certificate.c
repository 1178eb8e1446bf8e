/* SPDX-License-Identifier: MIT */
/*
 * certificate CA SERVER: makes a certificate authority, and by it a certificate
 * for 127.0.0.1. The first file is for who is to trust it, the second, which
 * has the key too, for who serves.
 */
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>

#define DAY 86400L

static void must(int is_so, const char *what)
{
    if (is_so)
        return;
    fprintf(stderr, "certificate: %s\n", what);
    exit(1);
}

static void extend(X509 *x, X509 *issuer, int kind, const char *value)
{
    X509V3_CTX context;
    X509_EXTENSION *e;

    X509V3_set_ctx(&context, issuer, x, NULL, NULL, 0);
    e = X509V3_EXT_conf_nid(NULL, &context, kind, value);
    must(e != NULL && X509_add_ext(x, e, -1) == 1, value);
    X509_EXTENSION_free(e);
}

/* Not signed yet. A day ago it was good already: clocks differ. */
static X509 *make(EVP_PKEY *key, long serial, const char *name)
{
    X509 *x = X509_new();
    X509_NAME *subject = X509_get_subject_name(x);

    must(X509_set_version(x, X509_VERSION_3) == 1, "version");
    ASN1_INTEGER_set(X509_get_serialNumber(x), serial);
    X509_gmtime_adj(X509_getm_notBefore(x), -DAY);
    X509_gmtime_adj(X509_getm_notAfter(x), DAY);
    must(X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC,
                                    (const unsigned char *)name, -1, -1,
                                    0) == 1,
         "name");
    must(X509_set_pubkey(x, key) == 1, "key");
    return x;
}

static void sign(X509 *x, X509 *issuer, EVP_PKEY *key)
{
    X509_set_issuer_name(x, X509_get_subject_name(issuer));
    must(X509_sign(x, key, EVP_sha256()) > 0, "signature");
}

static void write_file(const char *path, X509 *x, EVP_PKEY *key)
{
    FILE *f = fopen(path, "w");

    must(f != NULL && PEM_write_X509(f, x) == 1, path);
    must(key == NULL ||
             PEM_write_PrivateKey(f, key, NULL, NULL, 0, NULL, NULL) == 1,
         path);
    must(fclose(f) == 0, path);
}

int main(int argc, char **argv)
{
    EVP_PKEY *authority = EVP_EC_gen("P-256"), *key = EVP_EC_gen("P-256");
    X509 *root, *leaf;

    must(argc == 3, "expected two files");
    must(authority != NULL && key != NULL, "keys");
    root = make(authority, 1, "Tests");
    extend(root, root, NID_basic_constraints, "critical,CA:TRUE");
    extend(root, root, NID_key_usage, "critical,keyCertSign");
    sign(root, root, authority);
    leaf = make(key, 2, "127.0.0.1");
    extend(leaf, root, NID_subject_alt_name, "IP:127.0.0.1");
    sign(leaf, root, authority);
    write_file(argv[1], root, NULL);
    write_file(argv[2], leaf, key);
    X509_free(root);
    X509_free(leaf);
    EVP_PKEY_free(authority);
    EVP_PKEY_free(key);
    return 0;
}
