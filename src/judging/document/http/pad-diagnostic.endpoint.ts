import { type Base64Text, decodeBase64Fields } from "#contract/base64";
import type { documentTypesPad } from "#contract/document-type";
import { type Call, type Endpoint, implement } from "#contract/endpoint";
import { envelope, serviceRan } from "#contract/envelope";
import { asInput } from "#contract/input";
import { padApiVersion } from "#contract/pad";
import { padDiagnosticRoute } from "#contract/pad.routes";
import type { OpenedToken, OpenToken } from "#trust/tokens/token";
import type { DiagnoseDocument } from "../decision/diagnose-document.ts";
import type { DeclaredType } from "../decision/finding.ts";
import type { PadDiagnosis } from "../decision/pad/diagnose.ts";
import { webDocument } from "./web-document.ts";

type Deps = {
  readonly openToken: OpenToken;
  readonly diagnoseDocument: DiagnoseDocument;
  readonly imageBytesMax: number;
};

/**
 * The document diagnostic. The answer has the reasons; only the operator sees the measurements, in the
 * transaction.
 */
export const padDiagnosticEndpoint = (deps: Deps): Endpoint =>
  implement(padDiagnosticRoute, async (call) => {
    const { request, ...context } = call;
    const { countryCode, idType } = request;
    const { images, tokens } = await openImages(deps, call);
    const { diagnosis, document } = await deps.diagnoseDocument({
      ...context,
      declared: { country: countryCode, type: typeOf(idType) },
      ...images,
      tokens,
    });
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
  readonly frontSideImage: Base64Text;
  readonly backSideImage: Base64Text;
  readonly face?: Base64Text;
  readonly tokenized: boolean;
};

type Opened = {
  readonly images: { readonly front: Uint8Array; readonly back: Uint8Array; readonly face?: Uint8Array };
  readonly tokens: readonly OpenedToken[];
};

/**
 * Opens the images: plain ones, or tokens of the document capture. The face's token is one of a face image or
 * of a best image.
 */
const openImages = async ({ openToken, imageBytesMax }: Deps, call: Call<Request>): Promise<Opened> => {
  const { frontSideImage, backSideImage, face, tokenized } = call.request;
  const limits = tokenized ? {} : { bytesMax: imageBytesMax };
  const bytes = decodeBase64Fields<string>({
    frontSideImage: { value: frontSideImage, ...limits },
    backSideImage: { value: backSideImage, ...limits },
    ...(face === undefined || face === "" ? {} : { face: { value: face, ...limits } }),
  });
  const tokens: OpenedToken[] = [];
  const open = async (
    name: keyof Opened["images"],
    value: Uint8Array,
    kind: Parameters<OpenToken>[1],
  ): Promise<Uint8Array> => {
    if (!tokenized) return value;
    const opened = await asInput(name, () => openToken(value, kind, call));
    tokens.push(opened);
    return opened.payload;
  };
  const images = {
    front: await open("front", bytes["frontSideImage"]!, "document-image"),
    back: await open("back", bytes["backSideImage"]!, "document-image"),
    ...(bytes["face"] && { face: await open("face", bytes["face"], ["face-image", "best-image"]) }),
  };
  return { images, tokens };
};
