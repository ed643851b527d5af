import { decodeBase64Fields } from "#contract/base64";
import type { documentTypesPad } from "#contract/document-type";
import { type Call, type Endpoint, implement } from "#contract/endpoint";
import { envelope, serviceRan } from "#contract/envelope";
import { asInput, namingFields } from "#contract/input";
import { padApiVersion } from "#contract/pad";
import { padDiagnosticRoute } from "#contract/pad.routes";
import type { OpenToken, TokenKind } from "#tokens/token";
import type { DiagnoseDocument } from "../diagnose-document.ts";
import type { DeclaredType } from "../finding.ts";
import type { PadDiagnosis } from "../pad/diagnose.ts";
import { webDocument } from "./web-document.ts";

type Deps = {
  readonly openToken: OpenToken;
  readonly diagnoseDocument: DiagnoseDocument;
  readonly imageBytesMax: number;
};

const fields = { front: "frontSideImage", back: "backSideImage", face: "face" } as const;

/** The answer says what was found; which measurement found it stands in the transaction, for the operator alone. */
export const padDiagnosticEndpoint = (deps: Deps): Endpoint =>
  implement(padDiagnosticRoute, async (call) => {
    const { countryCode, idType } = call.request;
    const { pictures, tokenHashes } = await openPictures(deps, call);
    const { diagnosis, document } = await namingFields(fields, () =>
      deps.diagnoseDocument({
        caller: call.caller,
        transactionId: call.transactionId,
        receivedAt: call.receivedAt,
        declared: { country: countryCode, type: typeOf(idType) },
        ...pictures,
        tokenHashes,
        ...(call.appName === undefined ? {} : { appName: call.appName }),
        signal: call.signal,
      }),
    );
    return {
      ...envelope(call, serviceRan("padDiagnostic")),
      serviceResult: JSON.stringify({ result: resultOf(diagnosis), api_version: padApiVersion }),
      serviceDocumentData: JSON.stringify(webDocument(document, { countryCode, decompose: false })),
    };
  });

const resultOf = ({ decision, reasons, quality }: PadDiagnosis) => ({
  decision,
  reasons,
  IQA: {
    passed: quality.passed,
    frontSideImage: quality.front,
    ...(quality.back && { backSideImage: quality.back }),
  },
});

const typeOf = (idType: (typeof documentTypesPad)[number]): DeclaredType =>
  idType === "DRIVERS_LICENSE" ? "DRIVING_LICENSE" : idType;

type Request = {
  readonly frontSideImage: string;
  readonly backSideImage: string;
  readonly face?: string;
  readonly tokenized: boolean;
};

type Opened = {
  readonly pictures: { readonly front: Uint8Array; readonly back: Uint8Array; readonly face?: Uint8Array };
  readonly tokenHashes: readonly string[];
};

/** Open pictures, or tokens of the document capture; the face's token is one of a face image. */
const openPictures = async ({ openToken, imageBytesMax }: Deps, call: Call<Request>): Promise<Opened> => {
  const { frontSideImage, backSideImage, face, tokenized } = call.request;
  const limits = tokenized ? {} : { bytesMax: imageBytesMax };
  const bytes = decodeBase64Fields<string>({
    frontSideImage: { value: frontSideImage, ...limits },
    backSideImage: { value: backSideImage, ...limits },
    ...(face === undefined || face === "" ? {} : { face: { value: face, ...limits } }),
  });
  const tokenHashes: string[] = [];
  const open = async (name: keyof typeof fields, value: Uint8Array, kind: TokenKind): Promise<Uint8Array> => {
    if (!tokenized) return value;
    const opened = await namingFields(fields, () =>
      asInput(name, () => openToken(value, kind, call.receivedAt)),
    );
    tokenHashes.push(opened.hash);
    return opened.payload;
  };
  const pictures = {
    front: await open("front", bytes["frontSideImage"]!, "document-image"),
    back: await open("back", bytes["backSideImage"]!, "document-image"),
    ...(bytes["face"] && { face: await open("face", bytes["face"], "face-image") }),
  };
  return { pictures, tokenHashes };
};
