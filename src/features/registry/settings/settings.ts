/** The settings of civil registries, complete: defaults are filled in and secrets are read. */
import type { ClientTls } from "#machine/egress/egress";
import type { Environment, RegistryCountry, RegistryField } from "../registry.ts";

/** The forms of a date that a registry may write. `ISO` is an instant or a date of ISO 8601. */
export const dateFormats = ["YYYY-MM-DD", "DD/MM/YYYY", "DD-MM-YYYY", "DDMMYYYY", "YYYYMMDD", "ISO"] as const;

export type DateFormat = (typeof dateFormats)[number];

/** Where a value is in an answer. Several places are joined by a blank. */
export type FieldRule = {
  readonly from: readonly string[];
  /** The form in which the registry writes a date. */
  readonly format?: DateFormat;
  /** A value as the registry writes it, and the value that replaces it. An empty text means no value. */
  readonly values?: Readonly<Record<string, string>>;
};

/** What states that the registry has no such person: one of the statuses, or one of the values at a place. */
export type UnknownRule = {
  readonly status: readonly number[];
  readonly where: Readonly<Record<string, readonly (string | number | boolean | null)[]>>;
};

export type AnswerRules = {
  readonly unknown: UnknownRule;
  readonly fields: Readonly<Partial<Record<RegistryField | "photo", FieldRule>>>;
};

/** A value of JSON with variables such as `{documentNumber}` in its texts. */
export type Template =
  | string
  | number
  | boolean
  | null
  | readonly Template[]
  | { readonly [name: string]: Template };

/** How the registry is asked. */
export type RequestRules = {
  readonly method: "GET" | "POST";
  /** With variables in its path or query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Template;
  /** Only such a request is sent again. */
  readonly isIdempotent: boolean;
};

export type GatewayAuth =
  | { readonly kind: "none" }
  | { readonly kind: "key"; readonly header: string; readonly secret: string }
  | { readonly kind: "basic"; readonly user: string; readonly password: string }
  | {
      readonly kind: "oauth2";
      readonly tokenUrl: string;
      readonly clientId: string;
      readonly clientSecret: string;
      readonly scope?: string;
      readonly credentialsIn: "header" | "body";
    };

export type GatewaySettings = {
  readonly connector: "gateway";
  readonly legalBasis: string;
  /** Time limit of a whole question: token, tries and body. */
  readonly timeoutMs: number;
  readonly bytesMax: number;
  readonly request: RequestRules;
  readonly auth: GatewayAuth;
  readonly tls?: ClientTls;
  readonly answer: AnswerRules;
};

export type LocalSettings = { readonly connector: "local"; readonly legalBasis: string };

export type CountrySettings = GatewaySettings | LocalSettings;

/** The registries of each environment by country. */
export type RegistrySettings = Readonly<
  Record<Environment, Readonly<Partial<Record<RegistryCountry, CountrySettings>>>>
>;

/** No registry is configured. */
export const noRegistries: RegistrySettings = { live: {}, test: {} };
