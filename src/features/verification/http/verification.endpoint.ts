import { type Base64Text, decodeBase64Fields } from "#contract/base64";
import { type Endpoint, implement } from "#contract/endpoint";
import { envelope, serviceRan } from "#contract/envelope";
import { isGiven } from "#contract/request-rule";
import { createVerificationRoute, showVerificationRoute } from "#contract/verification.routes";
import type { CreateVerification } from "../create-verification.ts";
import { joinParts, type ShowDeps, showVerification } from "../show-verification.ts";
import { type WireDeps, wireVerification } from "./wire-verification.ts";

type Deps = WireDeps &
  ShowDeps & {
    readonly createVerification: CreateVerification;
    readonly imageBytesMax: number;
  };

type Images = {
  readonly selfie?: Base64Text;
  readonly documentFront?: Base64Text;
  readonly documentBack?: Base64Text;
};

/** The images of a request; undefined where it brings none. */
const imagesOf = ({ selfie, documentFront, documentBack }: Images, bytesMax: number) => {
  const values = { selfie, documentFront, documentBack };
  const given = Object.entries(values).flatMap(([name, value]) =>
    value !== undefined && isGiven(value) ? [[name, { value, bytesMax }] as const] : [],
  );
  if (given.length === 0) return undefined;
  const bytes: Readonly<Record<string, Buffer>> = decodeBase64Fields<string>(Object.fromEntries(given));
  return { selfie: bytes["selfie"], front: bytes["documentFront"], back: bytes["documentBack"] };
};

/** A verification in one call, and its one object. */
export const verificationEndpoints = (deps: Deps): readonly Endpoint[] => [
  implement(createVerificationRoute, async ({ request, ...call }) => {
    const { selfie, documentFront, documentBack, operationId: _, ...asked } = request;
    const images = imagesOf(
      {
        ...(selfie !== undefined && { selfie }),
        ...(documentFront !== undefined && { documentFront }),
        ...(documentBack !== undefined && { documentBack }),
      },
      deps.imageBytesMax,
    );
    const { verification, session } = await deps.createVerification(call, { ...asked, images });
    return {
      ...envelope({ request, ...call }, serviceRan("createVerification")),
      ...wireVerification(await joinParts(deps, verification), deps, session),
    };
  }),
  implement(showVerificationRoute, async (call) => ({
    ...envelope(call, serviceRan("showVerification")),
    ...wireVerification(await showVerification(deps, call.caller, call.request.verificationId), deps),
  })),
];
