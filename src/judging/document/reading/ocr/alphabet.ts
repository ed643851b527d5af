/**
 * The classes of the text network: class i + 1 is the i-th sign, class 0 the CTC blank. The degree sign is
 * read as the ordinal indicator º, the comma under S and T as the cedilla. The same list as
 * `lab/training/text/alphabet.py`; the test compares it with the list that the training wrote beside the
 * weights.
 */
export const textAlphabet: readonly string[] = Array.from(
  " 0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" +
    ".,-/:;'\"()+#&<*%@ºª" +
    "ÁÀÂÃÄĂÅĄÆÇĆČĎĐÉÈÊËĚĘĞÍÌÎÏĹĽŁÑŃŇÓÒÔÕÖŐØŔŘŚŠŞŤŢÚÙÛÜŮŰÝŹŽŻ" +
    "áàâãäăåąæçćčďđéèêëěęğíìîïĺľłñńňóòôõöőøŕřśšşťţúùûüůűýÿźžżß",
);
