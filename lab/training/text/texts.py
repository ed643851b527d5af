"""Texts of printed lines: names, places, addresses, numbers and dates in the forms of the countries, labels, headers;
and letters without sense, so that every sign is learned and no language is taken for granted."""

import random
import string
import unicodedata

from alphabet import ALPHABET, as_read
from words import (
    CODES, GIVEN_CE, GIVEN_ES, GIVEN_PT, HEADERS, LABELS, LONG_MONTHS, MONTHS, NATIONALITIES, PLACES, SHORT, STREETS,
    SURNAMES_CE, SURNAMES_ES, SURNAMES_PT,
)

LENGTH_MAX = 42
ONSETS = "b c d f g h j k l m n p r s t v z br ch cl cr dr fl gr ll pl pr rr st šk sz cz rz ň ď ť ľ ž č š ř ñ ł h".split()
VOWELS = "a e i o u a e i o u y á é í ó ú ia ie ue ou ã õ ê ä ö ü ů ě ą ę ă ő ű ô".split()
CODAS = ["", "", "", "n", "r", "s", "l", "z", "m", "č", "k", "ch", "t", "ć", "ń"]
MARKED = [char for char in ALPHABET if char.isalpha() and ord(char) > 127]


VARIANTS = {}
for char in ALPHABET:
    base = {"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ß": "s", "æ": "a", "Æ": "A"}.get(
        char, unicodedata.normalize("NFD", char)[0]
    )
    if base != char and base.isalpha():
        VARIANTS.setdefault(base, []).append(char)


def digits(rng, n):
    return "".join(rng.choice(string.digits) for _ in range(n))


def capitals(rng, n):
    return "".join(rng.choice(string.ascii_uppercase) for _ in range(n))


def invented(rng):
    word = "".join(rng.choice(ONSETS) + rng.choice(VOWELS) + rng.choice(CODAS) for _ in range(rng.randint(1, 4)))
    return word[:12].capitalize()


def marked(rng, word):
    """Marks at random: no letter is rare, and no mark follows from its neighbours."""
    return "".join(rng.choice(VARIANTS[c]) if c in VARIANTS and rng.random() < 0.3 else c for c in word)


def nonsense(rng):
    """Every sign as likely as any other: the rare ones are learned here."""
    length = rng.randint(2, 9)
    roll = rng.random()
    if roll < 0.4:
        return "".join(rng.choice(ALPHABET[1:]) for _ in range(length))
    if roll < 0.6:
        return capitals(rng, length)
    if roll < 0.8:
        return "".join(rng.choice(MARKED + list(string.ascii_lowercase)) for _ in range(length))
    return "".join(rng.choice(string.ascii_letters + string.digits) for _ in range(length))


def from_any(rng, *lists):
    return rng.choice(rng.choice(lists))


def cased(rng, text):
    roll = rng.random()
    if roll < 0.55:
        return text.upper() if "ß" not in text else text
    return text if roll < 0.97 else text.lower()


def given(rng):
    return from_any(rng, GIVEN_ES, GIVEN_ES, GIVEN_CE, GIVEN_CE, GIVEN_PT) if rng.random() < 0.75 else invented(rng)


def surname(rng):
    if rng.random() < 0.3:
        return invented(rng)
    return from_any(rng, SURNAMES_ES, SURNAMES_ES, SURNAMES_CE, SURNAMES_CE, SURNAMES_PT)


def name(rng):
    make = rng.choice((given, surname))
    parts = [make(rng) for _ in range(rng.choice((1, 1, 2, 2, 3)))]
    if rng.random() < 0.08:
        parts.insert(rng.randrange(len(parts)), rng.choice(("de", "de la", "del", "dos", "da", "de los", "von", "y", "e")))
    joint = "-" if rng.random() < 0.05 else " "
    text = joint.join(parts)
    if rng.random() < 0.04:
        text = rng.choice(("D'", "O'", "Mc")) + text
    if rng.random() < 0.08:
        text = surname(rng) + ", " + text
    text = cased(rng, text)
    return marked(rng, text) if rng.random() < 0.12 else text


def place(rng):
    text = rng.choice(PLACES)
    roll = rng.random()
    if roll < 0.2:
        text += " " + rng.choice(PLACES)
    elif roll < 0.35:
        text += rng.choice((", ", "/", " / ", " - ")) + rng.choice(PLACES)
    elif roll < 0.45:
        text += rng.choice((" (", ", ")) + rng.choice(CODES)
        text += ")" if "(" in text else ""
    elif roll < 0.5:
        text += " " + rng.choice(("I", "II", "III", "IV", "V", "1", "2", "12"))
    return cased(rng, text)


def address(rng):
    street = rng.choice(STREETS)
    words = " ".join(rng.choice((surname, given, lambda r: r.choice(PLACES)))(rng) for _ in range(rng.choice((1, 1, 2))))
    number = rng.choice((digits(rng, rng.randint(1, 4)), f"N° {digits(rng, 3)}", f"{rng.randint(1, 99)}-{rng.randint(1, 99)}",
                         f"{rng.randint(1, 99)}/{rng.randint(1, 40)}", f"#{rng.randint(1, 99)}", f"Lt. {rng.randint(1, 40)}", "S/N",
                         f"{rng.randint(1, 20)}{rng.choice('ABCD')}", f"1° {rng.choice('ABCD')}", f"{rng.randint(1, 30)} DTO {rng.randint(1, 9)}"))
    text = f"{street} {words} {number}"
    return cased(rng, text if rng.random() < 0.8 else words + " " + number)


def date(rng):
    day, month, year = rng.randint(1, 31), rng.randint(1, 12), rng.randint(1925, 2049)
    d, m = f"{day:02d}", f"{month:02d}"
    table = rng.choice(MONTHS)
    word = table[min(month, len(table)) - 1]
    if rng.random() < 0.2:
        word = word.capitalize()
    english = MONTHS[1][month - 1]
    forms = (
        f"{d}.{m}.{year}", f"{d}. {m}. {year}", f"{d}.{m}.{year}", f"{d}/{m}/{year}", f"{d}/{m}/{year}", f"{d} {m} {year}", f"{d}-{m}-{year}",
        f"{year}-{m}-{d}", f"{year}.{m}.{d}.", f"{d} {word} {year}", f"{d} {word} {year}", f"{d}{word}{year}", f"{d}/{word}/{year}", f"{d}-{word}-{year}",
        f"{d} {word}/ {english} {year}", f"{d} {word}/{english} {year}", f"{d} {word} / {english} {year}", f"{day} {rng.choice(LONG_MONTHS)} {year}",
        f"{d} DE {rng.choice(LONG_MONTHS).upper()} DE {year}", f"{d}{m}{year}", f"{d} {word} {year % 100:02d}", f"{year}", f"{m}/{year}",
        f"{year}/{m}/{d}", f"{d}.{m}.{year % 100:02d}", f"{day}.{month}.{year}",
    )
    return rng.choice(forms)


def number(rng):
    n = lambda k: digits(rng, k)  # noqa: E731
    forms = (
        lambda: f"{n(9)}-{n(1)}", lambda: n(10), lambda: f"{n(1)}-{n(4)}-{n(4)}", lambda: f"{n(1)} {n(4)} {n(4)}", lambda: n(12),
        lambda: f"{n(2)}.{n(3)}.{n(3)}", lambda: f"{n(1)}.{n(3)}.{n(3)}", lambda: f"{n(2)}-{n(8)}-{n(1)}", lambda: f"{n(8)}-{n(1)}",
        lambda: n(8), lambda: n(9), lambda: f"{n(4)} {n(5)} {n(4)}", lambda: n(13), lambda: f"{rng.randint(1, 13)}-{n(3)}-{n(rng.randint(3, 4))}",
        lambda: f"{rng.choice(('PE', 'E', 'N'))}-{n(2)}-{n(rng.randint(3, 5))}", lambda: f"{n(4)}-{n(4)}-{n(5)}", lambda: f"{n(4)} {n(4)} {n(5)}",
        lambda: f"{n(2)}.{n(3)}.{n(3)}-{rng.choice('0123456789K')}", lambda: f"{n(1)}.{n(3)}.{n(3)}-{rng.choice('0123456789K')}", lambda: n(11),
        lambda: f"{n(1)}.{n(3)}.{n(3)}.{n(3)}", lambda: f"{n(3)}.{n(3)}.{n(3)}-{n(2)}", lambda: f"{n(8)}{capitals(rng, 1)}",
        lambda: f"{capitals(rng, 1)}{n(7)}{capitals(rng, 1)}", lambda: f"{capitals(rng, 3)}{n(6)}", lambda: f"{capitals(rng, 2)}{n(6)}",
        lambda: f"{capitals(rng, 2)} {n(6)}", lambda: f"{capitals(rng, 1)}{n(8)}", lambda: f"{capitals(rng, 1)}{n(4)}{capitals(rng, 1)}{n(4)}",
        lambda: f"{n(6)}/{n(rng.choice((3, 4)))}", lambda: f"{capitals(rng, 4)}{n(6)}{capitals(rng, 6)}{n(2)}", lambda: f"{capitals(rng, 3)} {n(6)}",
        lambda: f"No. {n(rng.randint(5, 9))}", lambda: f"Nº {n(rng.randint(5, 9))}", lambda: f"N° {n(rng.randint(5, 9))}", lambda: f"# {n(6)}",
        lambda: f"{rng.randint(1, 2)},{n(2)} m", lambda: f"{rng.randint(1, 2)}.{n(2)}", lambda: f"{rng.randint(140, 210)} cm", lambda: f"{rng.randint(1, 100)}%",
        lambda: n(rng.randint(1, 6)), lambda: f"({n(3)}) {n(7)}", lambda: f"+{n(2)} {n(9)}", lambda: f"{n(2)}:{n(2)}",
        lambda: "".join(rng.choice(string.digits + string.ascii_uppercase) for _ in range(rng.randint(6, 12))),
        lambda: f"ID{rng.choice(CODES)[:3]}{n(9)}<{n(1)}<<<", lambda: f"{n(7)}{rng.choice('MF<')}{n(7)}{rng.choice(CODES)[:3]}<<<",
        lambda: f"{rng.choice(SURNAMES_ES).upper()}<<{rng.choice(GIVEN_ES).upper()}<<<",
    )
    return rng.choice(forms)()


def label(rng):
    text = rng.choice(LABELS)
    roll = rng.random()
    if roll < 0.3:
        text += rng.choice((" / ", "/", " / ", "/ ")) + rng.choice(LABELS)
    elif roll < 0.42:
        text += rng.choice((":", ":", "."))
    elif roll < 0.55:
        value = rng.choice((date, number, short, name))(rng)
        text += rng.choice((": ", " ", ": ")) + value
    elif roll < 0.6:
        text = f"{rng.randint(1, 12)}. {text}"
    return text.upper() if rng.random() < 0.2 else text


def short(rng):
    return rng.choice(rng.choice((SHORT, CODES, NATIONALITIES, list("MFABCDEHXSKV1234567890"))))


def header(rng):
    text = rng.choice(HEADERS)
    return text if rng.random() < 0.75 else cased(rng, text.title())


def mixture(rng):
    parts = [rng.choice((name, number, date, nonsense, short, place))(rng) for _ in range(rng.choice((1, 2, 2)))]
    return " ".join(parts)


KINDS = ((name, 30), (date, 14), (number, 16), (place, 8), (address, 7), (label, 9), (header, 3), (short, 4), (nonsense, 6), (mixture, 3))


def line(rng: random.Random):
    """(as drawn, as read): one line of an invented document."""
    kinds, weights = zip(*KINDS)
    while True:
        drawn = " ".join(rng.choices(kinds, weights)[0](rng).split())
        read = as_read(drawn)
        if 0 < len(read) <= LENGTH_MAX and all(char in ALPHABET for char in read):
            return drawn, read
