/** Characters of a note beside a listed face or document. */
export const noteLengthMax = 500;
