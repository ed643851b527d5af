import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import { PdfArray, PdfDict, PdfName, PdfNumber, type PdfObject, PdfStream, PdfString } from "@libpdf/core";
import type { Held, PdfModel } from "./model.ts";
import { dateString, textString } from "./text-string.ts";
import type { Attachment } from "./types.ts";

/** Names of embedded files that are read, and the depth of their tree. */
const namesMax = 10_000;
const depthMax = 32;

const fileSpecification = (model: PdfModel, attachment: Attachment, at: Date): PdfObject => {
  const stream = new PdfStream(
    PdfDict.of({
      Type: PdfName.of("EmbeddedFile"),
      Subtype: PdfName.of(attachment.mediaType),
      Filter: PdfName.of("FlateDecode"),
      Params: PdfDict.of({
        Size: PdfNumber.of(attachment.bytes.length),
        ModDate: dateString(at),
        CheckSum: PdfString.fromBytes(createHash("md5").update(attachment.bytes).digest()),
      }),
    }),
    deflateSync(attachment.bytes),
  );
  const file = model.register(stream);
  return model.register(
    PdfDict.of({
      Type: PdfName.of("Filespec"),
      F: textString(attachment.name),
      UF: textString(attachment.name),
      Desc: textString(attachment.description),
      AFRelationship: PdfName.of(attachment.relationship),
      EF: PdfDict.of({ F: file, UF: file }),
    }),
  );
};

/** All pairs of the name tree (ISO 32000-2, 7.9.6). */
const readNames = (
  model: PdfModel,
  node: PdfDict,
  own: [PdfString, PdfObject][] = [],
  depth = 0,
): readonly (readonly [PdfString, PdfObject])[] => {
  if (depth > depthMax) return own;
  const names = model.itemsOf(node.get("Names")).slice(0, namesMax);
  for (let index = 0; index + 1 < names.length; index += 2) {
    const name = model.resolve(names[index]);
    const value = names[index + 1];
    if (name instanceof PdfString && value !== undefined) own.push([name, value]);
  }
  const kids = model.itemsOf(node.get("Kids")).slice(0, namesMax);
  for (const kid of kids) {
    const child = model.dictOf(kid);
    if (child !== undefined && own.length <= namesMax) readNames(model, child, own, depth + 1);
  }
  return own;
};

const getNames = (model: PdfModel): Held<PdfDict> => {
  const existing = model.child(model.catalog, "Names");
  if (existing !== undefined) return existing;
  const value = new PdfDict();
  const ref = model.register(value);
  model.set(model.catalog, "Names", ref);
  return { ref, value };
};

const unusedName = (wanted: string, used: ReadonlySet<string>): string => {
  if (!used.has(wanted)) return wanted;
  for (let number = 2; ; number++) if (!used.has(`${number}-${wanted}`)) return `${number}-${wanted}`;
};

/** Embeds files as associated files of the document. A name that is in use gets a number before it. */
export const addAttachments = (model: PdfModel, attachments: readonly Attachment[], at: Date): void => {
  if (attachments.length === 0) return;
  const names = getNames(model);
  const tree = model.dictOf(names.value.get("EmbeddedFiles"));
  const pairs = [...(tree === undefined ? [] : readNames(model, tree))];
  const used = new Set(pairs.map(([name]) => name.asString()));
  for (const attachment of attachments) {
    const name = unusedName(attachment.name, used);
    used.add(name);
    const specification = fileSpecification(model, { ...attachment, name }, at);
    pairs.push([textString(name), specification]);
    model.push(model.catalog, "AF", specification);
  }
  pairs.sort(([a], [b]) => Buffer.compare(a.bytes, b.bytes));
  model.set(names, "EmbeddedFiles", PdfDict.of({ Names: new PdfArray(pairs.flat()) }));
};
