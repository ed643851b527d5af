import { memberOf } from "../../scripts/contract/json.ts";

/** The address of the first image of a shown operation. */
export const linkIn = (shown: unknown): string => {
  const [asset] = Object.values(Object(memberOf(shown, "assets")));
  return String(memberOf(asset, "url"));
};
