import { Type } from "typebox";
import { makeCheck } from "#contract/make-check";
import type { TicketAsked } from "./read-requests.ts";

const certificate = makeCheck(
  Type.Object({
    codigoVerificacion: Type.String(),
    facialAuthenticationResult: Type.Integer(),
    passiveLivenessResult: Type.Integer(),
    documentValidationCode: Type.Integer(),
    person: Type.Optional(
      Type.Union([Type.Null(), Type.Object({ idNumber: Type.Union([Type.String(), Type.Null()]) })]),
    ),
    document: Type.Optional(
      Type.Union([Type.Null(), Type.Object({ country: Type.Union([Type.String(), Type.Null()]) })]),
    ),
  }),
);

const answerMsMax = 10_000;
const certificateBytesMax = 1024 * 1024;
const loopback: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Opens the certificate as the entity does, and names each fault. A simulator calls this machine alone. */
export const checkCertificate = async (asked: TicketAsked): Promise<readonly string[]> => {
  const url = URL.parse(asked.url);
  if (url === null || !loopback.has(url.hostname)) return ["url_verificacion: no se puede abrir"];
  const answer = await open(url, asked).catch(() => undefined);
  if (answer === undefined) return ["url_verificacion: no responde"];
  if (answer.status !== 200) return [`url_verificacion: estado ${answer.status}`];
  if (!certificate.Check(answer.body)) return ["certificado: formato desconocido"];
  const { body } = answer;
  const faults: string[] = [];
  if (body.codigoVerificacion !== asked.code) faults.push("certificado: otro codigo_verificacion");
  if (body.facialAuthenticationResult !== 3) faults.push("certificado: facialAuthenticationResult");
  if (body.passiveLivenessResult !== 3) faults.push("certificado: passiveLivenessResult");
  if (body.documentValidationCode !== 9001) faults.push("certificado: documentValidationCode");
  const number = body.document?.country === "CHL" ? body.person?.idNumber : null;
  if (number != null && bareOf(number) !== asked.rut) faults.push("certificado: otro RUT");
  return faults;
};

const bareOf = (number: string): string =>
  number
    .replaceAll(/[.\-\s]/gu, "")
    .replace(/^0+/u, "")
    .toUpperCase();

const open = async (
  url: URL,
  { user, password }: TicketAsked,
): Promise<{ readonly status: number; readonly body: unknown }> => {
  const credentials = Buffer.from(`${user}:${password}`, "utf8").toString("base64");
  const response = await fetch(url, {
    headers: {
      accept: "application/json",
      ...(user !== "" && { authorization: `Basic ${credentials}` }),
    },
    redirect: "manual",
    signal: AbortSignal.timeout(answerMsMax),
  });
  const text = await readText(response);
  return { status: response.status, body: response.status === 200 ? parse(text) : undefined };
};

/** Counts while it reads: a longer answer is left at the bound. */
const readText = async ({ body }: Response): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > certificateBytesMax) throw new Error("The certificate is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
