import type { PageState } from "../session/page-state.ts";
import type { Target } from "./flow.ts";

/** The ways to an image that a page offers for one step. */
export type Ways = {
  readonly camera: boolean;
  /** A file: not at all, among the other ways, or at once. */
  readonly file: "never" | "fallback" | "always";
  readonly phone: boolean;
};

export type WayOptions = {
  readonly upload: Ways["file"];
  readonly handoff: "auto" | "never" | "force";
};

/** What is known of the page: on a telephone, and whether it asked for another one. */
export type Device = { readonly isTelephone: boolean; readonly hasAskedPhone: boolean };

/** The page is the telephone of a hand-off. */
export const isPhoneOfHandOff = (page: PageState | undefined, { hasAskedPhone }: Device): boolean =>
  page?.handoff?.state === "confirmed" && !hasAskedPhone;

/** `force` leaves a computer without its camera; a telephone has its own. */
export const hasCamera = ({ handoff }: WayOptions, page: PageState | undefined, device: Device): boolean =>
  handoff !== "force" || device.isTelephone || isPhoneOfHandOff(page, device);

/** The service refuses a file where it asks for turns of the head, so it is not offered there. */
export const waysFor = (
  { step }: Target,
  page: PageState | undefined,
  options: WayOptions,
  device: Device,
): Ways => ({
  camera: hasCamera(options, page, device),
  file: step === "face" && page?.level === "active-turn" ? "never" : options.upload,
  phone: options.handoff !== "never" && !isPhoneOfHandOff(page, device),
});
