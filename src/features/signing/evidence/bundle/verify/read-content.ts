import { createHash } from "node:crypto";
import { Type } from "typebox";
import { canonicalJson } from "#contract/canonical-json";
import type { Json } from "#contract/json";
import { makeCheck } from "#contract/make-check";
import {
  anchorsShape,
  attachmentNames,
  type BundleAnchors,
  type BundleContent,
  type BundleFault,
  bundleFormat,
  bundleVersion,
  contentShape,
} from "../content.ts";

/** The attachments of a bundle by their names. */
export type Files = ReadonlyMap<string, Uint8Array>;

/** A value that was read, or why it cannot be. */
export type Read<Value> = { readonly value: Value } | { readonly fault: BundleFault };

/** Reads `evidence.json`. */
export const readContent = (files: Files): Read<BundleContent> => {
  const place = attachmentNames.content;
  const read = readJson(files, place);
  if ("fault" in read) return read;
  const { value } = read;
  const version = laterVersionOf(value);
  if (version !== undefined) {
    return faultIn(
      place,
      `it has version ${version} of the format. This release reads version ${bundleVersion}`,
    );
  }
  return contentShape.Check(value) ? { value } : faultIn(place, "it has another form than the format states");
};

/** Reads `anchors.json`. */
export const readAnchors = (files: Files): Read<BundleAnchors> => {
  const place = attachmentNames.anchors;
  const read = readJson(files, place);
  if ("fault" in read) return read;
  const { value } = read;
  return anchorsShape.Check(value) ? { value } : faultIn(place, "it has another form than the format states");
};

/** The faults of the attachments against the list of `evidence.json`: missing, changed, or listed nowhere. */
export const compareFiles = (
  { attachments, images }: Pick<BundleContent, "attachments" | "images">,
  files: Files,
): readonly BundleFault[] => {
  const listed = new Set<string>([attachmentNames.content, ...attachments.map(({ name }) => name)]);
  return [
    ...attachments.flatMap(({ name, sha256 }) => {
      const bytes = files.get(name);
      if (bytes === undefined) return [{ place: name, finding: "it is missing" }];
      return hashOf(bytes) === sha256
        ? []
        : [{ place: name, finding: `its hash is not that of ${attachmentNames.content}` }];
    }),
    ...[...files.keys()]
      .filter((name) => !listed.has(name))
      .map((name) => ({ place: name, finding: `${attachmentNames.content} does not list it` })),
    ...images.flatMap(({ id, attachment, sha256 }) => {
      const bytes = attachment === null ? undefined : files.get(attachment);
      const differs = bytes !== undefined && hashOf(bytes) !== sha256;
      return differs ? [{ place: attachment ?? id, finding: `it is not image ${id}` }] : [];
    }),
  ];
};

/** SHA-256 (hex). */
export const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

const faultIn = (place: string, finding: string) => ({ fault: { place, finding } });

/** Canonical JSON alone: two readers must not read two values. */
const readJson = (files: Files, place: string): Read<Json> => {
  const bytes = files.get(place);
  if (bytes === undefined) return faultIn(place, "it is missing");
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: Json = JSON.parse(text);
    return canonicalJson(value) === text ? { value } : faultIn(place, "it is no canonical JSON (RFC 8785)");
  } catch {
    return faultIn(place, "it is no JSON in UTF-8, or too deep");
  }
};

const laterShape = makeCheck(
  Type.Object({ format: Type.Literal(bundleFormat), version: Type.Integer({ minimum: bundleVersion + 1 }) }),
);

const laterVersionOf = (value: Json): number | undefined =>
  laterShape.Check(value) ? value.version : undefined;
