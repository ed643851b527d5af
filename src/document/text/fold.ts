/** Letters that Unicode does not decompose. */
const plain: Readonly<Record<string, string>> = { Ł: "L", Ø: "O", Đ: "D", Æ: "AE", ẞ: "SS", ı: "I" };

/** Capitals without marks, runs of blanks as one: what closed lists and labels are compared by. */
export const fold = (text: string): string =>
  text
    .toUpperCase()
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[ŁØĐÆẞı]/g, (char) => plain[char] ?? char)
    .replaceAll(/\s+/g, " ")
    .trim();
