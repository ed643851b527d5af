"""Draws cards in Spanish and Portuguese with the faces of the test split, and a list for `idem measure documents`.

usage: cards.py OUT_DIR [--cards 60] [--seed 9]

The texts come from the generator of lines with seeds that no training used; the pictures are upright cards as they come out
of rectifying: some at 8 px a millimetre, some at 16, with guilloche, light, blur, noise and JPEG.
"""

import argparse
import io
import json
import math
import pathlib
import random

import shared  # noqa: F401  (finds ../ctc)
import numpy as np
from alphabet import as_read
from faces import TEST_FACES
from lines import Faces
from PIL import Image, ImageDraw, ImageFilter
from texts import capitals, digits
from words import GIVEN_ES, GIVEN_PT, MONTHS, NATIONALITIES, PLACES, SURNAMES_ES, SURNAMES_PT

#: field, label in Spanish, label in Portuguese, x and y of the label in mm on a card of 85.6 x 54
LAYOUT = (
    ("surname", "APELLIDOS", "SOBRENOME", 30, 12),
    ("name", "NOMBRES", "NOME", 30, 18.5),
    ("nationality", "NACIONALIDAD / NATIONALITY", "NACIONALIDADE", 30, 25),
    ("gender", "SEXO / SEX", "SEXO", 62, 25),
    ("birth_date", "FECHA DE NACIMIENTO", "DATA DE NASCIMENTO", 30, 31.5),
    ("birth_place", "LUGAR DE NACIMIENTO", "NATURALIDADE", 56, 31.5),
    ("issue_date", "FECHA DE EMISIÓN", "DATA DE EMISSÃO", 30, 38),
    ("expiry_date", "FECHA DE VENCIMIENTO", "DATA DE VALIDADE", 56, 38),
    ("document_number", "NÚMERO DE DOCUMENTO", "N.º DO DOCUMENTO", 30, 45),
)
HEADERS = {"es": "REPÚBLICA DE COSTA RICA", "pt": "REPÚBLICA FEDERATIVA DO BRASIL"}
MM = 24  # px a millimetre on the canvas


def date(rng, form):
    day, month, year = rng.randint(1, 28), rng.randint(1, 12), rng.randint(1940, 2035)
    table = MONTHS[0] if form < 3 else MONTHS[2]
    word = [name for name in table if len(table) == 12 or name != "SET"][month - 1]
    d, m = f"{day:02d}", f"{month:02d}"
    return (f"{d} {word} {year}", f"{d}{word}{year}", f"{d}/{m}/{year}", f"{d}/{m}/{year}", f"{d}.{m}.{year}", f"{year}-{m}-{d}", f"{d}-{m}-{year}")[form]


def person(rng, language, upper):
    given, surnames = (GIVEN_ES, SURNAMES_ES) if language == "es" else (GIVEN_PT, SURNAMES_PT)
    form = rng.randrange(7)
    case = (lambda text: text.upper()) if upper else (lambda text: text)
    number = rng.choice((f"{digits(rng, 2)}.{digits(rng, 3)}.{digits(rng, 3)}", f"{digits(rng, 8)}-{digits(rng, 1)}", digits(rng, 10),
                         f"{digits(rng, 1)}-{digits(rng, 4)}-{digits(rng, 4)}", f"{capitals(rng, 2)}{digits(rng, 6)}", f"{digits(rng, 4)} {digits(rng, 5)} {digits(rng, 4)}"))
    return {
        "surname": case(f"{rng.choice(surnames)} {rng.choice(surnames)}"),
        "name": case(" ".join(rng.choice(given) for _ in range(rng.choice((1, 2))))),
        "nationality": case(rng.choice([n for n in NATIONALITIES if n.endswith("A") or n.endswith("SE")]).capitalize()),
        "gender": rng.choice("MF"),
        "birth_date": date(rng, form),
        "birth_place": case(rng.choice([p for p in PLACES if len(p) > 3])),
        "issue_date": date(rng, form),
        "expiry_date": date(rng, form),
        "document_number": number,
    }


def ground(rng, width, height):
    base = np.array([200 + rng.random() * 50 for _ in range(3)], np.float32)
    image = Image.new("RGB", (width, height), tuple(int(v) for v in base))
    draw = ImageDraw.Draw(image)
    for _ in range(rng.randint(10, 26)):
        colour = tuple(int(max(0, v - 12 - rng.random() * 40)) for v in base)
        y, size, rate, phase = rng.random() * height, rng.random() * 90, 0.002 + rng.random() * 0.012, rng.random() * 7
        draw.line([(x, y + size * math.sin(rate * x + phase)) for x in range(0, width + 12, 12)], fill=colour, width=rng.choice((2, 3, 4)))
    return image


def draw_card(rng, faces, language):
    image = ground(rng, round(85.6 * MM), 54 * MM)
    draw = ImageDraw.Draw(image)
    sans = rng.choice(TEST_FACES[3])
    light = sans if rng.random() < 0.5 else rng.choice(TEST_FACES[3])
    values = person(rng, language, rng.random() < 0.7)
    ink, pale = tuple(rng.randint(10, 60) for _ in range(3)), tuple(rng.randint(40, 120) for _ in range(3))
    draw.text((6 * MM, 8 * MM), HEADERS[language], font=faces.open(light, round(3.3 * MM)), fill=pale, anchor="ls")
    size = 2.7 + rng.random() * 0.7  # em of the values in mm: capitals of 1.9 to 2.4 mm
    for field, spanish, portuguese, x, y in LAYOUT:
        label = spanish if language == "es" else portuguese
        draw.text((x * MM, y * MM), label, font=faces.open(light, round(1.7 * MM)), fill=pale, anchor="ls")
        draw.text((x * MM, (y + 3.4) * MM), values[field], font=faces.open(sans, round(size * MM)), fill=ink, anchor="ls")
    figure = tuple(int(v * 0.7) for v in image.getpixel((2, 2)))
    draw.ellipse((11 * MM, 16 * MM, 20 * MM, 28 * MM), fill=figure)  # a head and shoulders: only print is measured
    draw.ellipse((6 * MM, 29 * MM, 25 * MM, 48 * MM), fill=figure)
    return image, {field: as_read(value) for field, value in values.items()}


def capture(rng, image):
    """The rectified card: 685 to 1370 px wide, a little blurred, unevenly lit, noisy, compressed."""
    scale = rng.choice((8, 10, 12, 14, 16)) / MM
    small = image.resize((round(image.width * scale), round(image.height * scale)), Image.LANCZOS)
    small = small.filter(ImageFilter.GaussianBlur(0.3 + rng.random() * 0.7))
    pixels = np.asarray(small, np.float32)
    h, w, _ = pixels.shape
    x, y = np.arange(w)[None, :] / w - rng.random(), np.arange(h)[:, None] / h - rng.random()
    pixels = pixels * (1 - (0.15 + rng.random() * 0.35) * np.hypot(x, y))[:, :, None]
    pixels = pixels + np.random.default_rng(rng.getrandbits(32)).standard_normal(pixels.shape) * (1 + rng.random() * 5)
    stream = io.BytesIO()
    Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8)).save(stream, "JPEG", quality=rng.randint(55, 92))
    return stream.getvalue()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--cards", type=int, default=60)
    parser.add_argument("--seed", type=int, default=9)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    rng, faces, index = random.Random(f"cards {options.seed}"), Faces(), []
    for k in range(options.cards):
        language = ("es", "pt")[k % 2]
        image, fields = draw_card(rng, faces, language)
        (options.out / f"{language}-{k:03d}.jpg").write_bytes(capture(rng, image))
        index.append({"path": f"{language}-{k:03d}.jpg", "expected_fields": fields, "gt_kind": "drawn by cards.py"})
    (options.out / "index.json").write_text(json.dumps(index, ensure_ascii=False, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
