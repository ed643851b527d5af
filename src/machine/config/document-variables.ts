import { Type } from "typebox";
import { number, secret, text } from "./variable-kinds.ts";

/** Settings of the judgement of documents, and of the external document provider. */
export const documentVariables = {
  IDEM_DOCUMENT_ATTACKS: text(
    "File that `idem train document-attacks` made from your own images: the weight of each trace of an attack on a document. Every process needs a copy. Absent: the weights measured for this release.",
    "a path",
  ),
  IDEM_DOCUMENT_MODELS: text(
    "Folder of your own document models: YAML files that pass `idem document lint`, read beside the shipped models (docs/guides/extend/document-models.md). Every process needs a copy. Absent: the shipped models.",
    "a path",
  ),
  IDEM_DOCUMENT_POLICY: text(
    "JSON file with rules and values of document validation in place of the built-in policy (docs/guides/understand/documents.md). Every process needs a copy. Absent: the built-in policy.",
    "a path",
  ),
  IDEM_PEP_LIST: text(
    "List of politically exposed persons, made by `idem pep import`. Every process needs a copy. A person reviews every possible match (126). Absent: no watchlist check.",
    "a path",
  ),
  IDEM_MORPHOLOGY: Type.Enum(["local", "veriff"], {
    default: "local",
    description:
      "Judge of documents, also called document provider: this service (`local`), or an external provider with the session API of Veriff (`veriff`). The images then leave this deployment: docs/guides/understand/documents.md.",
  }),
  IDEM_MORPHOLOGY_URL: text(
    "Address of that provider, such as `https://stationapi.veriff.com`.",
    "an http or https URL without a slash at the end",
  ),
  IDEM_MORPHOLOGY_KEY: secret("API key of your integration at that provider (X-AUTH-CLIENT)."),
  IDEM_MORPHOLOGY_SECRET: secret("Shared secret of that integration, which signs every call."),
  IDEM_MORPHOLOGY_TIMEOUT_MS: number(
    100,
    300_000,
    30_000,
    "Longest time until the provider begins its answer to a call, and the same time again until the answer ends.",
  ),
  IDEM_MORPHOLOGY_FAILING_MINUTES: number(
    0,
    1_440,
    60,
    "Minutes of retries to a provider that does not answer, before the validation ends FAILED (648). The document policy sets how long to wait for an undecided provider.",
  ),
};
