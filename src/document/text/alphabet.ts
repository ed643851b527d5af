/**
 * What the text network tells apart: class i + 1 is the i-th sign, class 0 the blank of CTC. The degree sign is read as the
 * ordinal indicator º, the comma under S and T as the cedilla. The same list as `training/text/alphabet.py`; the test compares
 * it with the one that the training wrote beside the weights.
 */
export const textAlphabet: readonly string[] = Array.from(
  " 0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" +
    ".,-/:;'\"()+#&<*%@ºª" +
    "ÁÀÂÃÄĂÅĄÆÇĆČĎĐÉÈÊËĚĘĞÍÌÎÏĹĽŁÑŃŇÓÒÔÕÖŐØŔŘŚŠŞŤŢÚÙÛÜŮŰÝŹŽŻ" +
    "áàâãäăåąæçćčďđéèêëěęğíìîïĺľłñńňóòôõöőøŕřśšşťţúùûüůűýÿźžżß",
);
