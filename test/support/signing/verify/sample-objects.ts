import { type Objects, streamOf } from "./append-objects.ts";

/**
 * A page with content, resources, a signed field, an empty signature field, a text field below another, and a
 * link.
 */
export const sampleObjects: Objects = {
  1: "<</Type/Catalog/Pages 2 0 R/AcroForm 6 0 R>>",
  2: "<</Type/Pages/Kids[3 0 R]/Count 1>>",
  3: "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources 5 0 R/Annots[7 0 R 9 0 R 11 0 R 12 0 R]>>",
  4: streamOf("(pay 100) Tj"),
  5: "<</Font<<>>>>",
  6: "<</Fields[7 0 R 9 0 R 10 0 R]/SigFlags 3>>",
  7: "<</FT/Sig/T(S)/Subtype/Widget/Rect[0 0 0 0]/V 8 0 R>>",
  8: "<</Type/Sig/SubFilter/ETSI.CAdES.detached/Contents<00>/ByteRange[0 1 2 3]>>",
  9: "<</FT/Sig/T(Empty)/Subtype/Widget/Rect[10 10 300 200]>>",
  10: "<</T(a)/FT/Tx/V(100)/Kids[11 0 R]>>",
  11: "<</T(b)/Parent 10 0 R/Subtype/Widget/Rect[10 300 300 400]>>",
  12: "<</Type/Annot/Subtype/Link/Rect[1 1 2 2]>>",
};
