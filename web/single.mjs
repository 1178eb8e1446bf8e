// SPDX-License-Identifier: MIT
// single.mjs DIST OUT: the page of a recording, one file with its script and its
// style inside, packed. What it records is put in where MARK stands.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { gzipSync } from 'node:zlib';

const MARK = '@RECORDING@';
const [dist, out] = process.argv.slice(2);
const read = name => readFileSync(join(dist, name), 'utf8');

// In a script these would end it, or begin what must be ended otherwise; as
// they stand in texts and patterns only, an escape is the same there.
const script = read('recording.js').replaceAll(/<(?=!--|\/?script)/gi, '\\x3C');
const style = read('recording.css');
new Script(script);
if (/<\/style/i.test(style)) throw new Error('the style sheet would end its element');

// What runs is what is hashed here. Nothing may be loaded from anywhere.
const hash = text => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data:; base-uri 'none'; form-action 'none'`;

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<meta name="referrer" content="no-referrer">
<title>Kuromajutsu</title>
<style>${style}</style>
</head>
<body>
<div id="root"></div>
<noscript>Kuromajutsu: this page needs JavaScript. このページには JavaScript が必要です。</noscript>
<script type="application/json" id="recording">${MARK}</script>
<script>${script}</script>
</body>
</html>
`;
if (page.split(MARK).length !== 2) throw new Error(`${MARK} must stand in the page once`);
writeFileSync(out, gzipSync(page, { level: 9 }));
