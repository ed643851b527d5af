/** Letters that Unicode does not decompose. */
const plain: Readonly<Record<string, string>> = { Ł: "L", Ø: "O", Đ: "D", Æ: "AE", ẞ: "SS", ı: "I" };

/** Upper case without marks, each run of blanks as one: the form for comparing labels and closed lists. */
export const fold = (text: string): string =>
  text
    .toUpperCase()
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[ŁØĐÆẞı]/g, (char) => plain[char] ?? char)
    .replaceAll(/\s+/g, " ")
    .trim();
