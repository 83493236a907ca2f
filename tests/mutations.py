"""Mutate valid content as a careless or hostile person might, reproducibly from a seed."""

from __future__ import annotations

import random

#: Bytes with a meaning in file formats, and extreme numbers.
BYTES = (
    *(b"", b"\0", b"\n", b"\r", b"\t", b" ", b",", b";", b'"', b"'", b"#", b"-", b".", b"\xff"),
    *(b"nan", b"inf", b"-1", b"1e999", b"1e308", b"-0", b"9" * 400, b"0x10", b"1_0", b"1,5", b"()"),
    *(b"\x93NUMPY", b"\x1f\x8b", b"PK\x03\x04", b"\xef\xbb\xbf", b"\xff\xfe", b"\xe2\x80\xa8"),
    *(b"<c16", b"|O", b"|V8", b"<f2", b">i8", b"True", b"[('a','<f8')]", b"(0,)", b"(-1, 2)"),
)
TEXTS = (
    *("", " ", "\0", "\n", "0", "-1", "1", "1e999", "nan", "inf", "9" * 30, "9" * 400, "0x10"),
    *("1_0", "٣", "²", "½", "1,5", "+", ".", "e", "None", "true", "\u202e", "\ud7ff", "💥"),
    *("'", '"', "`", "**", "[x](y)", "<script>", "{}", "%00", "../..", "x", ",", "2x7", "x3,50"),
)


def mutated_bytes(content: bytes, other: bytes, rng: random.Random) -> bytes:
    """Change content in up to four places; ``other`` supplies bytes to splice in."""
    for _ in range(rng.randint(1, 4)):
        at = rng.randint(0, len(content))
        to = min(len(content), at + rng.choice((1, 1, 2, 8, 64)))
        kind = rng.randrange(6)
        if kind == 0:  # flip bits
            byte = bytes([rng.randrange(256)])
            content = content[:at] + byte + content[at + 1 :]
        elif kind == 1:  # truncate
            content = content[:at]
        elif kind == 2:  # delete a piece
            content = content[:at] + content[to:]
        elif kind == 3:  # repeat a piece
            content = content[:to] + content[at:]
        elif kind == 4:  # insert bytes that readers treat specially
            content = content[:at] + rng.choice(BYTES) + content[to:]
        else:  # continue with a tail of ``other``
            content = content[:at] + other[rng.randint(0, len(other)) :]
    return content


def mutated_text(text: str, rng: random.Random) -> str:
    """Change a text in one place, or replace it by a special text."""
    at = rng.randint(0, len(text))
    kind = rng.randrange(4)
    if kind == 0:
        return rng.choice(TEXTS)
    if kind == 1:
        return text[:at]
    if kind == 2:
        return text[:at] + rng.choice(TEXTS) + text[at:]
    return (
        text[:at]
        + chr(rng.choice((rng.randrange(32, 127), rng.randrange(1, 0xD800))))
        + text[at + 1 :]
    )


def mutated_query(query: dict[str, str], rng: random.Random) -> dict[str, str]:
    """Change a query in up to four places."""
    query = dict(query)
    for _ in range(rng.randint(1, 4)):
        name = rng.choice([*query, "other"])
        kind = rng.randrange(8)
        if kind == 0:
            query.pop(name, None)
        elif kind == 1:
            query[mutated_text(name, rng)] = query.get(name, "")
        elif kind == 2:
            query[name] = query[rng.choice([*query])] if query else ""
        elif kind == 3:
            query[name] = str(rng.choice((0, 1, -1, 2**31, 2**32, 2**63, 10**12, 0.5, 1e-9, 1e300)))
        else:
            query[name] = mutated_text(query.get(name, ""), rng)
    return query
