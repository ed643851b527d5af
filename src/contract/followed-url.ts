/**
 * The rule of every address that a person's browser follows: it says where it leads, to a reader and to a
 * browser alike.
 */

/**
 * Characters that a browser drops, changes or hides (WHATWG URL, 4.4: tab and line ends; `\` is read as `/`),
 * blanks, half characters.
 */
const disguised = /[\p{Cc}\p{Cf}\p{Cs}\p{Z}\\]/u;

/**
 * Whether a URL holds a character that a person and a browser read differently. Links of registries have the
 * same rule.
 */
export const isDisguised = (text: string): boolean => disguised.test(text);

/** What comes between the scheme and the path, as it is written. */
const authority = /^https?:\/\/([^/?#]+)/i;

/** Plain http serves the developer's own machine alone. */
const ownHosts = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Whether a browser may be sent to this URL: https, or http of the developer's own machine; no user
 * information, whose host may look like the address (`https://bank.example@evil.example/`); no character that
 * a browser reads otherwise than a person; no port 0. A host in another script stays as it is: the browser
 * shows it by its own rules. Path, query and fragment are free but for those characters, which are
 * percent-encoded there.
 */
export const isFollowedUrl = (text: string): boolean => {
  const [, place = ""] = authority.exec(text) ?? [];
  if (place === "" || /[@%]/.test(place) || isDisguised(text)) return false;
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, port, username, password } = new URL(text);
  if (username !== "" || password !== "" || port === "0") return false;
  return protocol === "https:" || (protocol === "http:" && ownHosts.includes(hostname));
};
