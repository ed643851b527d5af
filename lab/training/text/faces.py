"""The faces that the lines are drawn in: free ones, from Debian's packages. A family belongs to one split only."""

FONT_ROOT = "/usr/share/fonts/"


def _files(folder, *names, suffix="ttf"):
    return [f"{FONT_ROOT}{folder}/{name}.{suffix}" for name in names]


#: By weight: cards are printed in sans serif faces.
TRAIN_FACES = {
    3: _files("truetype/open-sans", "OpenSans-Regular", "OpenSans-Semibold", "OpenSans-Bold", "OpenSans-Light", "OpenSans-CondBold", "OpenSans-CondLight", "OpenSans-Italic")
    + _files("truetype/liberation", "LiberationSans-Regular", "LiberationSans-Bold", "LiberationSansNarrow-Regular", "LiberationSansNarrow-Bold", "LiberationSans-Italic")
    + _files("truetype/dejavu", "DejaVuSans", "DejaVuSans-Bold", "DejaVuSansCondensed", "DejaVuSansCondensed-Bold")
    + _files("truetype/freefont", "FreeSans", "FreeSansBold")
    + _files("truetype/roboto/unhinted/RobotoTTF", "Roboto-Regular", "Roboto-Medium", "Roboto-Bold", "Roboto-Light")
    + _files("truetype/roboto/unhinted", "RobotoCondensed-Regular", "RobotoCondensed-Bold", "RobotoCondensed-Light")
    + _files("truetype/lato", "Lato-Regular", "Lato-Bold", "Lato-Medium", "Lato-Light", "Lato-Semibold"),
    2: _files("opentype/urw-base35", "NimbusSans-Regular", "NimbusSans-Bold", "URWGothic-Book", "URWGothic-Demi", suffix="otf")
    + _files("truetype/dejavu", "DejaVuSansMono", "DejaVuSansMono-Bold")
    + _files("truetype/lato", "Lato-Heavy", "Lato-Italic")
    + _files("opentype/ocr-b", "OCRB", suffix="otf"),
    1: _files("truetype/dejavu", "DejaVuSerif", "DejaVuSerif-Bold", "DejaVuSerifCondensed")
    + _files("truetype/liberation", "LiberationSerif-Regular", "LiberationSerif-Bold", "LiberationMono-Regular", "LiberationMono-Bold")
    + _files("truetype/freefont", "FreeSerif", "FreeMono", "FreeMonoBold")
    + _files("opentype/urw-base35", "NimbusRoman-Regular", "NimbusRoman-Bold", "C059-Roman", "URWBookman-Light", "NimbusMonoPS-Regular", suffix="otf"),
}
TEST_FACES = {
    3: _files("truetype/noto", "NotoSans-Regular", "NotoSans-Bold", "NotoSansDisplay-Regular", "NotoSansDisplay-Bold")
    + _files("opentype/cantarell", "Cantarell-Regular", "Cantarell-Bold", "Cantarell-ExtraBold", suffix="otf")
    + _files("opentype/urw-base35", "NimbusSansNarrow-Regular", "NimbusSansNarrow-Bold", suffix="otf"),
    1: _files("truetype/noto", "NotoSerif-Regular", "NotoSerif-Bold")
    + _files("truetype/hack", "Hack-Regular", "Hack-Bold")
    + _files("opentype/urw-base35", "P052-Roman", "P052-Bold", suffix="otf"),
}
SPLITS = {"train": TRAIN_FACES, "test": TEST_FACES}


def weighted(faces):
    """(files, weights)"""
    pairs = [(file, weight) for weight, files in faces.items() for file in files]
    return [file for file, _ in pairs], [weight for _, weight in pairs]
