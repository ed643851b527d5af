const lines = ["Contract of an example", "It binds no one."];

const content = ["BT /F1 12 Tf 18 TL 72 760 Td", ...lines.map((line) => `(${line}) Tj T*`), "ET"].join("\n");

const objects = [
  "<</Type/Catalog/Pages 2 0 R>>",
  "<</Type/Pages/Count 1/Kids[3 0 R]>>",
  "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 5 0 R/Resources<</Font<</F1 4 0 R>>>>>>",
  "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
  `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
];

/**
 * A PDF 1.7 with these objects and a table of references (ISO 32000-2, 7.5.4). The first object is the
 * catalog. The file is ASCII.
 */
const writePdf = (): string => {
  let written = "%PDF-1.7\n";
  const rows = objects.map((object, index) => {
    const row = `${String(written.length).padStart(10, "0")} 00000 n \n`;
    written += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return row;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows.join("")}`;
  return `${written}${table}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${written.length}\n%%EOF\n`;
};

/** A contract of one page to sign, as a PDF in Base64: written by this project. */
export const exampleContract = Buffer.from(writePdf(), "latin1").toString("base64");
