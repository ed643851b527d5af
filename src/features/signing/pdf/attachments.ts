import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import { pdfArray, pdfDictionary, pdfName, pdfNumber, pdfStream, pdfString } from "./make-value.ts";
import type { PdfModel } from "./model.ts";
import type { Entries, PdfString, PdfValue } from "./reader/pdf-value.ts";
import { dateString, decodeText, textString } from "./text-string.ts";
import type { Attachment } from "./types.ts";

/** Names of embedded files that are read, and the depth of their tree. */
const namesMax = 10_000;
const depthMax = 32;

const fileSpecification = (model: PdfModel, attachment: Attachment, at: Date): PdfValue => {
  const stream = pdfStream(
    {
      Type: pdfName("EmbeddedFile"),
      Subtype: pdfName(attachment.mediaType),
      Filter: pdfName("FlateDecode"),
      Params: pdfDictionary({
        Size: pdfNumber(attachment.bytes.length),
        ModDate: dateString(at),
        CheckSum: pdfString(createHash("md5").update(attachment.bytes).digest()),
      }),
    },
    deflateSync(attachment.bytes),
  );
  const file = model.register(stream);
  return model.register(
    pdfDictionary({
      Type: pdfName("Filespec"),
      F: textString(attachment.name),
      UF: textString(attachment.name),
      Desc: textString(attachment.description),
      AFRelationship: pdfName(attachment.relationship),
      EF: pdfDictionary({ F: file, UF: file }),
    }),
  );
};

/** All pairs of the name tree (ISO 32000-2, 7.9.6). */
const readNames = (
  model: PdfModel,
  node: Entries,
  own: [PdfString, PdfValue][] = [],
  depth = 0,
): readonly (readonly [PdfString, PdfValue])[] => {
  if (depth > depthMax) return own;
  const names = model.itemsOf(node.get("Names")).slice(0, namesMax);
  for (let index = 0; index + 1 < names.length; index += 2) {
    const name = model.resolve(names[index]);
    const value = names[index + 1];
    if (name.kind === "string" && value !== undefined) own.push([name, value]);
  }
  const kids = model.itemsOf(node.get("Kids")).slice(0, namesMax);
  for (const kid of kids) {
    const child = model.dictOf(kid);
    if (child !== undefined && own.length <= namesMax) readNames(model, child, own, depth + 1);
  }
  return own;
};

const unusedName = (wanted: string, used: ReadonlySet<string>): string => {
  if (!used.has(wanted)) return wanted;
  for (let number = 2; ; number++) if (!used.has(`${number}-${wanted}`)) return `${number}-${wanted}`;
};

/** Embeds files as associated files of the document. A name that is in use gets a number before it. */
export const addAttachments = (model: PdfModel, attachments: readonly Attachment[], at: Date): void => {
  if (attachments.length === 0) return;
  const names = model.childOrNew(model.catalog, "Names", pdfDictionary({}));
  const tree = model.dictOf(model.entriesAt(names).get("EmbeddedFiles"));
  const pairs = [...(tree === undefined ? [] : readNames(model, tree))];
  const used = new Set(pairs.map(([name]) => decodeText(name.bytes)));
  for (const attachment of attachments) {
    const name = unusedName(attachment.name, used);
    used.add(name);
    const specification = fileSpecification(model, { ...attachment, name }, at);
    pairs.push([textString(name), specification]);
    model.push(model.catalog, "AF", specification);
  }
  pairs.sort(([a], [b]) => Buffer.compare(a.bytes, b.bytes));
  model.set(names, "EmbeddedFiles", pdfDictionary({ Names: pdfArray(pairs.flat()) }));
};
