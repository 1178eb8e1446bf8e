# SPDX-License-Identifier: MIT
"""Files as constants of a C program: their bytes by .incbin, and a table of
`struct asset` (transport/web/asset.h). An assembler takes them as they are,
where a C compiler would read a number for every byte."""

import hashlib

TYPES = {".html": "text/html; charset=utf-8",
         ".js": "text/javascript; charset=utf-8",
         ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"}
FORMS = (("plain", ""), ("gzip", ".gz"), ("brotli", ".br"))


def symbols(i, path):
    """name -> file, of the forms that there are."""
    found = {}
    for form, tail in FORMS:
        file = path.with_name(path.name + tail)
        if file.is_file():
            found[form] = (f"asset_{i}_{form}", file)
    return found


def row(folder, path, found):
    name = "/" + str(path.relative_to(folder))
    tag = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    forms = ", ".join(
        f"{{{found[form][0]}, {found[form][1].stat().st_size}}}"
        if form in found else "{0}" for form, _ in FORMS)
    return (f'    {{"{"/" if name == "/index.html" else name}", '
            f'"{TYPES[path.suffix]}", "\\"{tag}\\"", '
            f'{str(name.startswith("/assets/")).lower()}, {{{forms}}}}},\n')


def write(folder, recording, asm, table):
    files = sorted(p for p in folder.rglob("*") if p.suffix in TYPES)
    text, externs, rows = [], [], []

    def add(symbol, file):
        text.append(f'.balign 16\n.globl {symbol}\n.hidden {symbol}\n'
                    f'{symbol}:\n.incbin "{file}"\n')
        externs.append(f"extern const unsigned char {symbol}[];\n")

    for i, path in enumerate(files):
        found = symbols(i, path)
        for symbol, file in found.values():
            add(symbol, file)
        rows.append(row(folder, path, found))
    add("recording_gzip", recording)
    asm.write_text(".section .rodata\n" + "".join(text)
                   + '.section .note.GNU-stack,"",%progbits\n',
                   encoding="utf-8")
    table.write_text('/* Made by embed.py. */\n'
                     '#include "transport/web/asset.h"\n\n'
                     + "".join(externs) + "\nconst struct asset assets[] = {\n"
                     + "".join(rows) + "};\n"
                     f"const size_t asset_count = {len(rows)};\n"
                     "const struct asset_data asset_recording = "
                     f"{{recording_gzip, {recording.stat().st_size}}};\n",
                     encoding="utf-8")
