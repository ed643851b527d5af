import { writeFile } from "node:fs/promises";
import PdfDocument from "pdfkit";
import { Type } from "typebox";
import { makeCheck } from "#contract/make-check";
import { CommandError } from "../command.ts";
import type { Client } from "../kit/service/client.ts";
import { call, type Onboarding, type Operation } from "../kit/service/onboarding.ts";

/** A signed contract on the disk. */
export type SignedContract = {
  readonly file: string;
  readonly bytes: number;
  /** `serviceTransactionId` of the signing. */
  readonly transaction: string;
};

const signed = makeCheck(
  Type.Object({ serviceTransactionId: Type.String(), serviceDocument: Type.String() }),
);

const lines = [
  "CONTRATO DE EJEMPLO",
  "",
  "Este documento no obliga a ninguna persona: lo escribe la demostración de Idem.",
  "La firma al pie descansa en una autenticación facial positiva. Su constancia",
  "está dentro de este archivo: idem-statement.json.",
] as const;

/** A page of text, as an integrator may send it. */
const makeContract = async (): Promise<Buffer> => {
  const page = new PdfDocument({ size: "A4", margin: 72, info: { Title: "Contrato de ejemplo" } });
  const chunks: Buffer[] = [];
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  page.on("data", (chunk: Buffer) => chunks.push(chunk));
  page.on("end", () => resolve(Buffer.concat(chunks)));
  page.fontSize(12);
  for (const line of lines) page.text(line).moveDown(0.5);
  page.end();
  return await promise;
};

/** Signs a contract of its own with the authentication of an onboarding, and writes it to `file`. */
export const signContract = async (
  client: Client,
  { identity }: Pick<Onboarding, "identity">,
  operation: Operation,
  file: string,
): Promise<SignedContract> => {
  const { serviceTransactionId, facialAuthenticationHash } = identity;
  const { serviceTransactionId: transaction, serviceDocument } = signed.Parse(
    await call(client, "/services/digitalSign", {
      endUserContactInfo: "ana.perez@example.org",
      file: (await makeContract()).toString("base64"),
      signingData: { serviceTransactionId, facialAuthenticationHash },
      signingLocation: { city: "Ñuñoa", country: "CHL" },
      signingType: "1",
      signatureData: { pageNumber: 1, signatureFieldPosition: "72,72,322,132" },
      tracking: operation,
    }),
  );
  const bytes = Buffer.from(serviceDocument, "base64");
  await writeFile(file, bytes, { mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${file} cannot be written (${error.code ?? error.message}).`);
  });
  return { file, bytes: bytes.length, transaction };
};
