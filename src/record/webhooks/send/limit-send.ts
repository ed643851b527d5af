import type { Destination } from "../destinations/destination.ts";
import type { JudgeReceiver } from "../destinations/judge-test-receiver.ts";
import type { Send } from "./send.ts";

/** Why a destination or the server of its tokens may not be called; undefined where both may. */
export const judgeDestinationUrls = (
  { url, auth, environment }: Pick<Destination, "url" | "auth" | "environment">,
  judge: JudgeReceiver,
): string | undefined =>
  judge(url, environment) ?? (auth.kind === "oauth2" ? judge(auth.tokenUrl, environment) : undefined);

/** Blocks what `judge` refuses: a destination that was stored under other rules is not called. */
export const limitSend =
  (send: Send, judge: JudgeReceiver): Send =>
  async (destination, message, signal) => {
    const reason = judgeDestinationUrls(destination, judge);
    if (reason === undefined) return await send(destination, message, signal);
    return { outcome: "blocked", reason, timings: { totalMs: 0 } };
  };
