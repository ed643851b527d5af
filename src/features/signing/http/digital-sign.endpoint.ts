import { Base64Parts, type Base64Text, decodeBase64Fields } from "#contract/base64";
import { type Endpoint, implement } from "#contract/endpoint";
import { envelope, serviceRan } from "#contract/envelope";
import { isGiven } from "#contract/request-rule";
import { digitalSignRoute } from "#contract/signing.routes";
import type { DigitalSign } from "../documents/digital-sign.ts";
import { readPosition } from "../documents/position.ts";
import { readSignatureImage } from "../documents/signature-image.ts";
import type { WantedAppearance } from "../evidence/signing-revision.ts";

type SignatureData = {
  readonly handSignature?: Base64Text;
  readonly pageNumber?: number;
  readonly signatureFieldPosition?: string;
};

/** Any of the three fields makes the signature visible. */
const appearanceOf = (
  { pageNumber, signatureFieldPosition }: SignatureData,
  image: Uint8Array | undefined,
  imageBytesMax: number,
): WantedAppearance | undefined => {
  const appearance = {
    ...(pageNumber !== undefined && { pageNumber }),
    ...(signatureFieldPosition !== undefined && { position: readPosition(signatureFieldPosition) }),
    ...(image !== undefined && { image: readSignatureImage(image, imageBytesMax) }),
  };
  return Object.keys(appearance).length === 0 ? undefined : appearance;
};

/** Decodes the file, and the image where there is one; both faults are named in one answer. */
const bytesOf = (file: Base64Text, handSignature: Base64Text | undefined) => {
  if (handSignature === undefined || !isGiven(handSignature))
    return { ...decodeBase64Fields({ file: { value: file } }) };
  const name = "signatureData.handSignature";
  const bytes = decodeBase64Fields({ file: { value: file }, [name]: { value: handSignature } });
  return { file: bytes["file"] ?? Buffer.alloc(0), image: bytes[name] };
};

/** Signs a PDF. A refusal is a failure with a code of its own: nothing is signed, and nothing is stored. */
export const digitalSignEndpoint = (digitalSign: DigitalSign, imageBytesMax: number): Endpoint =>
  implement(digitalSignRoute, async (call) => {
    const {
      endUserContactInfo,
      signingData,
      signingLocation,
      signingType,
      signatureData = {},
    } = call.request;
    const { file, image } = bytesOf(call.request.file, signatureData.handSignature);
    const appearance = appearanceOf(signatureData, image, imageBytesMax);
    const { city, country, geoLocationPosition, ipAddress } = signingLocation;
    const { parts } = await digitalSign(call, {
      file,
      contact: endUserContactInfo,
      authentication: {
        transaction: signingData.serviceTransactionId,
        hash: signingData.facialAuthenticationHash,
      },
      place: {
        city,
        country,
        ...(geoLocationPosition !== undefined && { position: geoLocationPosition }),
        ...(ipAddress !== undefined && { ipAddress }),
      },
      signingType,
      ...(appearance && { appearance }),
    });
    const { serviceTransactionId, serviceResultCode, serviceResultLog, timestamp } = envelope(
      call,
      serviceRan("digitalSign"),
    );
    const serviceDocument = new Base64Parts(parts);
    return { serviceTransactionId, serviceResultCode, serviceResultLog, timestamp, serviceDocument };
  });
