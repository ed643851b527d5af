"""The characters of the text network: code i + 1 of its output is ALPHABET[i], code 0 the blank.

The degree sign and the ordinal indicator look alike and are read as one; so are the comma and the cedilla under s and t."""

ALPHABET = (
    " 0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    ".,-/:;'\"()+#&<*%@ºª"
    "ÁÀÂÃÄĂÅĄÆÇĆČĎĐÉÈÊËĚĘĞÍÌÎÏĹĽŁÑŃŇÓÒÔÕÖŐØŔŘŚŠŞŤŢÚÙÛÜŮŰÝŹŽŻ"
    "áàâãäăåąæçćčďđéèêëěęğíìîïĺľłñńňóòôõöőøŕřśšşťţúùûüůűýÿźžżß"
)

#: Drawn as the first, read as the second.
TWINS = {"°": "º", "Ș": "Ş", "ș": "ş", "Ț": "Ţ", "ț": "ţ", "’": "'", "–": "-"}


def as_read(text):
    return "".join(TWINS.get(char, char) for char in text)
