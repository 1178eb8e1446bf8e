// SPDX-License-Identifier: MIT
// pack.mjs DIST OUT: every file of DIST under OUT, with .gz and .br beside it
// where that is smaller. Node has Brotli; Python's library has not.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const [dist, out] = process.argv.slice(2);
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };

for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const from = join(entry.parentPath ?? entry.path, entry.name);
  const to = join(out, from.slice(dist.length));
  const plain = readFileSync(from);
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, plain);
  for (const [tail, packed] of [['.gz', gzipSync(plain, { level: 9 })], ['.br', brotliCompressSync(plain, brotli)]])
    if (packed.length < plain.length) writeFileSync(to + tail, packed);
}
