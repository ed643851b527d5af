/** The introduction of the docs page, in Markdown. */
export const introduction = [
  "Self-hosted identity verification. Every number in an answer is computed by this deployment; what cannot be " +
    "computed is `null`, a `None…` result or a declared failure.",
  "**Start.** Choose an operation, then *Test Request*, or copy its curl command. Its example works as it stands, or " +
    "says which earlier answer it needs. A test key takes a plain " +
    "Base64 JPEG or PNG where a token is asked. A live key takes tokens: a capture page seals images with " +
    "[/sealing.js](/sealing.js) and [the public keys](/.well-known/idem-keys.json).",
  "**Key.** Send it as `x-api-key`. The first start of a development service prints a key and writes it to the " +
    "file `development-key` in its data directory. Operators create others with `idem keys create`, or keep " +
    "those of a former service with `idem keys import`.",
  "**Guides.** The folder `docs/guides` of the source: `start/first-integration.md` goes from the key to a decision; " +
    "`integrate/moving-here.md` is for a client of another service with this interface. " +
    "[The collection](/docs/collection.json) holds every example for Postman, Bruno, Insomnia or Hoppscotch.",
  "**Answers.** A negative result is an answer with HTTP 200. Unknown fields are ignored. An optional field " +
    "counts as left out where it is `null`, and an optional text where it is empty. Base64 fields accept both " +
    "alphabets of RFC 4648, padded or not, with line breaks, and with a `data:` prefix.",
  "**Events.** What happens in an operation is sent to your own server, signed: [the events](/docs/events), their " +
    "[AsyncAPI document](/asyncapi.yaml) and the [verification function](/verify-event.js).",
  "**Errors.** A refusal is problem details (RFC 9457): `failure` names it, `errors` has a sentence for each " +
    "wrong field, and `type` is the URL of a page about it, such as [this one](/errors/request_invalid). 401 and " +
    "504 have `message` alone. 503 and 429 state in `Retry-After` when to send the call again.",
].join("\n\n");
