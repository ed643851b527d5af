import { listAt, textAt, valueAt } from "./answer.ts";
import { CallError, type Client } from "./client.ts";
import type { Captured } from "./onboard.ts";

/**
 * A drawn onboarding: persona and image of both its pictures. Engines judge them as any other
 * (docs/guides/start/sandbox.md).
 */
export const drawnCases = {
  genuine: { front: "operation-onboarding/front", selfie: "operation-onboarding/selfie" },
  telephone: { front: "operation-onboarding/front", selfie: "liveness-no-live-telephone/selfie" },
  expired: { front: "document-expired/front", selfie: "operation-onboarding/selfie" },
  "check-digit": { front: "document-check-digit/front", selfie: "operation-onboarding/selfie" },
} as const;

export type DrawnCase = keyof typeof drawnCases;

/** What the person says about the document. */
export type Declared = Pick<Captured, "country" | "idType">;

const newOperation = (): string => crypto.randomUUID();

const drawnImage = async (client: Client, path: string): Promise<string> =>
  textAt(await client.get(`/sandbox/v1/personas/${path}`), "image") ?? "";

/** The images of a drawn onboarding: a passport of Chile and a face. */
export const takeDrawn = async (client: Client, name: DrawnCase): Promise<Captured> => {
  const front = await drawnImage(client, drawnCases[name].front);
  const selfie = await drawnImage(client, drawnCases[name].selfie);
  return {
    operationId: newOperation(),
    country: "CHL",
    idType: "PASSPORT",
    front,
    selfie,
    bestImage: selfie,
  };
};

/** The bytes of a file or an image in Base64. */
export const toBase64 = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => {
      const { result } = reader;
      resolve(typeof result === "string" ? result.replace(/^[^,]*,/, "") : "");
    });
    reader.addEventListener("error", () => reject(reader.error ?? new Error("The file cannot be read")));
    reader.readAsDataURL(blob);
  });

export type Files = { readonly front: File; readonly back?: File; readonly selfie: File };

/** The images of files of the device. */
export const takeFiles = async (files: Files, declared: Declared): Promise<Captured> => {
  const [front, selfie] = [await toBase64(files.front), await toBase64(files.selfie)];
  return {
    operationId: newOperation(),
    ...declared,
    front,
    ...(files.back && { back: await toBase64(files.back) }),
    selfie,
    bestImage: selfie,
  };
};

/** A capture session that this page opened in the place of an integrator's server. */
export type OpenedSession = { readonly sessionId: string; readonly token: string };

export const openSession = async (
  client: Client,
  { country, idType }: Declared,
  language: string,
): Promise<OpenedSession> => {
  const opened = await client.post("/capture/v1/sessions", {
    steps: ["document", "face"],
    document: { country, type: idType },
    languages: [language],
  });
  return { sessionId: textAt(opened, "sessionId") ?? "", token: textAt(opened, "token") ?? "" };
};

/** A link begins with the public address of the service, which may be another than this page's. */
const pathOf = (url: string): string => url.slice(url.indexOf("/assets/"));

/** The image of an operation as it was sent; undefined where the service keeps none of this kind. */
const keptImage = async (client: Client, operation: unknown, type: string): Promise<string | undefined> => {
  const asset = listAt(operation, "assets").findLast((one) => textAt(one, "type") === type);
  const url = textAt(asset, "url");
  return url === undefined ? undefined : await toBase64(await client.image(pathOf(url)));
};

/** The tokens of a completed session, and its images as the operation keeps them. */
export const takeSession = async (
  client: Client,
  sessionId: string,
  declared: Declared,
): Promise<Captured> => {
  const session = await client.get(`/capture/v1/sessions/${encodeURIComponent(sessionId)}`);
  const operationId = textAt(session, "operationId") ?? "";
  const operation = await client.get(`/operator/operations/${encodeURIComponent(operationId)}`);
  const front = await keptImage(client, operation, "id_front");
  const back = await keptImage(client, operation, "id_back");
  const selfie = await keptImage(client, operation, "selfie");
  const bestImage = valueAt(session, "results.bestImageToken");
  if (front === undefined || selfie === undefined || typeof bestImage !== "string")
    throw new CallError(0, "images_not_kept", "");
  const extraData = textAt(session, "results.extraData");
  return {
    operationId,
    captureSessionId: sessionId,
    ...(extraData !== undefined && { extraData }),
    ...declared,
    front,
    ...(back !== undefined && { back }),
    selfie,
    bestImage,
  };
};
