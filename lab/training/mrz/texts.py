"""Texts of machine readable lines, drawn at random from the layouts of ICAO Doc 9303 and the
national ones that deviate from it. Every person and number is invented by the generator."""

import random

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ<"
LETTERS = ALPHABET[10:36]
DIGITS = ALPHABET[:10]

STATES = (
    "ECU CRI ARG PER GTM PAN HND COL CHL MEX BRA ESP PRT FRA D<< ITA NLD BEL POL CZE SVK AUT CHE HRV "
    "SVN HUN ROU BGR GRC SWE NOR FIN DNK ISL EST LVA LTU LIE MLT CYP IRL GBR USA CAN AUS NZL CHN TWN "
    "JPN KOR IND IDN PHL VNM THA TUR UKR RUS SRB MKD ALB AZE GEO ISR EGY MAR NGA ZAF KEN UTO UNO XXA"
).split()
ONSETS = "B C D F G H J K L M N P QU R S T V W X Y Z BR CH CL CR DR FR GR LL PL PR SH ST TR SCH".split() + [""] * 4
VOWELS = "A E I O U A E I O AI AU EI IA IE IO OU UE Y".split()
CODAS = ["", "", "", "N", "R", "S", "L", "M", "T", "Z", "ND", "CK", "NG", "RS", "X"]


def check_digit(text):
    """ICAO Doc 9303-3, 4.9: weights 7 3 1, filler 0, A = 10."""
    value = {c: i for i, c in enumerate(ALPHABET)} | {"<": 0}
    return str(sum(value[c] * (7, 3, 1)[i % 3] for i, c in enumerate(text)) % 10)


def fill(text, length):
    return (text + "<" * length)[:length]


def digits(rng, n):
    return "".join(rng.choice(DIGITS) for _ in range(n))


def mixed(rng, n):
    """Letters and digits; each letter is as likely as any, so that rare shapes are learned too."""
    share = rng.choice((0.1, 0.3, 0.5))
    return "".join(rng.choice(LETTERS) if rng.random() < share else rng.choice(DIGITS) for _ in range(n))


def word(rng, longest=11):
    if rng.random() < 0.25:
        return "".join(rng.choice(LETTERS) for _ in range(rng.randint(2, longest)))
    text = "".join(
        rng.choice(ONSETS) + rng.choice(VOWELS) + rng.choice(CODAS) for _ in range(rng.randint(1, 4))
    )
    return text[:longest]


def names(rng):
    surname = "<".join(word(rng) for _ in range(rng.choice((1, 1, 2, 2, 3))))
    given = "<".join(word(rng) for _ in range(rng.choice((1, 1, 2, 2, 3))))
    return surname if rng.random() < 0.03 else surname + "<<" + given


def state(rng):
    return rng.choice(STATES) if rng.random() < 0.75 else "".join(rng.choice(LETTERS) for _ in range(3))


def date(rng):
    roll = rng.random()
    if roll < 0.01:
        return "<<<<<<"
    year = digits(rng, 2)
    if roll < 0.02:
        return year + "<<<<"
    return f"{year}{rng.randint(1, 12):02d}{rng.randint(1, 31):02d}"


def checked(text):
    return text + check_digit(text)


def number(rng):
    return fill(mixed(rng, rng.choice((7, 8, 9, 9, 9))), 9)


def optional(rng, length):
    if rng.random() < 0.45:
        return "<" * length
    text = mixed(rng, rng.randint(1, length)) if rng.random() < 0.7 else digits(rng, rng.randint(4, length))
    if rng.random() < 0.2 and len(text) > 3:
        cut = rng.randint(1, len(text) - 1)
        text = text[:cut] + "<" + text[cut + 1 :]
    return fill(text, length)


def sex(rng):
    return rng.choice("MMMFFF<X")


def person(rng):
    return checked(date(rng)) + sex(rng) + checked(date(rng))


def passport(rng):
    code = rng.choice("PPPPV") + rng.choice("<<<" + LETTERS)
    data = optional(rng, 14)
    digit = "<" if data.strip("<") == "" and rng.random() < 0.5 else check_digit(data)
    second = checked(number(rng)) + state(rng) + person(rng) + data + digit
    return [fill(code + state(rng) + names(rng), 44), checked(second)]


def two_of_36(rng):
    code = rng.choice("IACVP") + rng.choice("<<DPR" + LETTERS)
    second = checked(number(rng)) + state(rng) + person(rng) + optional(rng, 7)
    return [fill(code + state(rng) + names(rng), 36), checked(second)]


def card(rng):
    code = rng.choice("IIIAC") + rng.choice("<<DNCRX" + LETTERS)
    issuer = state(rng)
    if rng.random() < 0.15:  # number longer than nine characters: 9303-5, 4.2.2 note j
        full = mixed(rng, rng.randint(10, 20))
        first = fill(code + issuer + full[:9] + "<" + full[9:] + check_digit(full), 30)
    else:
        first = fill(code + issuer + checked(number(rng)) + optional(rng, 15), 30)
    middle = person(rng) + (issuer if rng.random() < 0.8 else state(rng))
    if rng.random() < 0.12:  # Chile writes the national number here as 12345678<5<
        middle += fill(digits(rng, rng.choice((7, 8))) + "<" + rng.choice(DIGITS + "K") + "<", 11)
    else:
        middle += optional(rng, 11)
    return [first, checked(middle), fill(names(rng), 30)]


def french_card(rng):
    first = fill("IDFRA" + fill(word(rng, 20), 25) + mixed(rng, 3) + digits(rng, 3), 36)
    second = checked(digits(rng, 4) + mixed(rng, 3) + digits(rng, 5))
    second += fill("<<".join(word(rng, 9) for _ in range(rng.choice((1, 2)))), 14) + checked(date(rng)) + sex(rng)
    return [first, checked(second)]


def french_licence(rng):
    text = checked("D1FRA" + digits(rng, 2) + mixed(rng, 2) + digits(rng, 5)) + date(rng)
    return [checked(text + fill(word(rng, 8), 8))]


def swiss_licence(rng):
    text = "FA" + rng.choice(("CHE", "LIE")) + digits(rng, 12) + "<<" + date(rng) + "<<<<<"
    return [fill(mixed(rng, 3) + digits(rng, 3) + rng.choice("DFIR"), 9), text, fill(names(rng), 30)]


def noise(rng):
    length = rng.choice((30, 36, 44))
    return ["".join("<" if rng.random() < 0.25 else rng.choice(ALPHABET) for _ in range(length)) for _ in range(2)]


LAYOUTS = ((passport, 30), (card, 34), (two_of_36, 15), (french_card, 6), (french_licence, 2), (swiss_licence, 3), (noise, 10))


def document(rng: random.Random):
    """The lines of one invented document, top to bottom."""
    layouts, weights = zip(*LAYOUTS)
    return rng.choices(layouts, weights)[0](rng)
