/** The form of the settings file. Parts with several kinds are read by the kind that they name. */
import { Type } from "typebox";
import { registryFields } from "#contract/civil-code";
import { makeCheck } from "#contract/make-check";
import { pointerPattern } from "../json-pointer.ts";
import { dateFormats } from "./settings.ts";

const closed = { additionalProperties: false } as const;
const text = Type.String({ minLength: 1, maxLength: 500 });
const pointer = Type.String({ pattern: pointerPattern, minLength: 1, maxLength: 200 });
const file = Type.String({ minLength: 1, maxLength: 1000 });
/** RFC 9110, 5.1 and 5.5. */
const headerName = Type.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$" });
const headerValue = Type.String({ pattern: "^[\\x21-\\x7e]([\\x20-\\x7e]{0,998}[\\x21-\\x7e])?$" });
const url = Type.String({ pattern: "^https?://[!-~]{1,2000}$" });

export const timeoutMsDefault = 8_000;
/** The size of an answer with a photo of a few hundred kilobytes in Base64, several times over. */
export const bytesMaxDefault = 2_000_000;

const request = Type.Object(
  {
    method: Type.Enum(["GET", "POST"]),
    url,
    headers: Type.Optional(Type.Record(Type.String(), headerValue, { maxProperties: 20 })),
    body: Type.Optional(Type.Unknown()),
    isIdempotent: Type.Optional(Type.Boolean()),
  },
  closed,
);

const tls = Type.Object({ certificateFile: file, keyFile: file, caFile: Type.Optional(file) }, closed);

const scalar = Type.Union([Type.String({ maxLength: 200 }), Type.Number(), Type.Boolean(), Type.Null()]);

const unknown = Type.Object(
  {
    status: Type.Optional(Type.Array(Type.Integer({ minimum: 200, maximum: 499 }), { maxItems: 10 })),
    where: Type.Optional(
      Type.Record(Type.String(), Type.Array(scalar, { minItems: 1, maxItems: 20 }), { maxProperties: 10 }),
    ),
  },
  closed,
);

const answer = Type.Object(
  {
    unknown: Type.Optional(unknown),
    fields: Type.Record(Type.String(), Type.Unknown(), { minProperties: 1 }),
  },
  closed,
);

export const shapes = {
  file: makeCheck(
    Type.Object({ live: Type.Optional(Type.Unknown()), test: Type.Optional(Type.Unknown()) }, closed),
  ),
  countries: makeCheck(Type.Record(Type.String(), Type.Unknown())),
  /** Names the kind of the rest. */
  connector: makeCheck(Type.Object({ connector: Type.Enum(["gateway", "local"]) })),
  local: makeCheck(Type.Object({ connector: Type.Literal("local"), legalBasis: text }, closed)),
  gateway: makeCheck(
    Type.Object(
      {
        connector: Type.Literal("gateway"),
        legalBasis: text,
        timeoutMs: Type.Optional(Type.Integer({ minimum: 500, maximum: 30_000 })),
        bytesMax: Type.Optional(Type.Integer({ minimum: 1_000, maximum: 10_000_000 })),
        request,
        auth: Type.Optional(Type.Unknown()),
        tls: Type.Optional(tls),
        answer,
      },
      closed,
    ),
  ),
  auth: makeCheck(Type.Object({ kind: Type.Enum(["none", "key", "basic", "oauth2"]) })),
  none: makeCheck(Type.Object({ kind: Type.Literal("none") }, closed)),
  key: makeCheck(Type.Object({ kind: Type.Literal("key"), header: headerName, secretFile: file }, closed)),
  basic: makeCheck(Type.Object({ kind: Type.Literal("basic"), user: text, passwordFile: file }, closed)),
  oauth2: makeCheck(
    Type.Object(
      {
        kind: Type.Literal("oauth2"),
        tokenUrl: url,
        clientId: text,
        clientSecretFile: file,
        scope: Type.Optional(text),
        credentialsIn: Type.Optional(Type.Enum(["header", "body"])),
      },
      closed,
    ),
  ),
  headerName: makeCheck(headerName),
  pointer: makeCheck(pointer),
  fieldName: makeCheck(Type.Enum([...registryFields, "photo"])),
  places: makeCheck(Type.Array(pointer, { minItems: 1, maxItems: 10 })),
  rule: makeCheck(
    Type.Object(
      {
        from: Type.Unknown(),
        format: Type.Optional(Type.Enum([...dateFormats])),
        values: Type.Optional(
          Type.Record(Type.String(), Type.String({ maxLength: 200 }), { maxProperties: 300 }),
        ),
      },
      closed,
    ),
  ),
} as const;
