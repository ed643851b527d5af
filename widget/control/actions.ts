import type { Emit } from "../element/events.ts";
import { type Flow, type FlowEvent, targetIn } from "../flow/flow.ts";
import { codeOf } from "../session/call.ts";
import type { Session } from "../session/session.ts";
import type { Actions, View } from "../view/screens.ts";
import type { CameraWork } from "./camera-work.ts";
import type { Prepared, Sending } from "./sending.ts";

export type ActionDeps = {
  readonly session: Session;
  readonly emit: Emit;
  readonly camera: CameraWork;
  readonly sending: Sending;
  readonly state: () => Flow;
  readonly send: (event: FlowEvent) => void;
  /** Sends the event that this work gives, or its refusal. */
  readonly ask: (work: Promise<FlowEvent>) => void;
  readonly keepPrepared: (prepared: Prepared) => void;
  readonly keepHandoff: (handoff: NonNullable<View["handoff"]>) => void;
  readonly cancel: () => void;
};

/** Opens the session. One that is bound to another page is read, so that its screen shows the way back. */
const open = async (session: Session, takesOver: boolean): Promise<FlowEvent> => {
  try {
    return { is: "opened", page: await session.open(takesOver) };
  } catch (error) {
    const code = codeOf(error);
    if (code !== "capture_bound") throw error;
    return { is: "refused", code, page: await session.read() };
  }
};

/** Asks for the state of the session and shows its screen. */
export const openPage = ({ session, ask }: Pick<ActionDeps, "session" | "ask">, takesOver: boolean): void =>
  ask(open(session, takesOver));

const resume = (deps: ActionDeps): void => {
  const { screen } = deps.state();
  if (screen.at === "confirm") {
    deps.ask(deps.session.confirmHandOff().then((page) => ({ is: "opened", page }) as const));
  } else if (targetIn(screen) === undefined) openPage(deps, false);
  else deps.send({ is: "again" });
};

const chooseFile = (deps: ActionDeps, file: File): void => {
  const target = targetIn(deps.state().screen);
  if (target === undefined) return;
  const prepare = async (): Promise<FlowEvent> => {
    deps.keepPrepared(await deps.sending.prepareFile(target, file));
    return { is: "fileChosen" };
  };
  deps.ask(prepare());
};

/** What the buttons of an element do. */
export const makeActions = (deps: ActionDeps): Actions => {
  const { session, emit, camera, state, send, ask } = deps;
  const page = () => state().page;
  return {
    agree: () =>
      ask(
        session
          .consent(page()?.consent.version ?? "")
          .then((next) => ({ is: "opened", page: next }) as const),
      ),
    decline: () => {
      emit("idem-cancel", { reason: "consent" });
      send({ is: "declined" });
    },
    openCamera: () => send({ is: "openCamera" }),
    shutter: camera.pressShutter,
    use: () => send({ is: "use" }),
    again: () => send({ is: "again" }),
    switchCamera: () => {
      camera.switchNext();
      camera.stop();
      send({ is: "switchCamera" });
    },
    otherWay: () => send({ is: "otherWay" }),
    usePhone: () =>
      ask(
        session.handOff().then((given) => {
          deps.keepHandoff(given);
          return { is: "handoff" } as const;
        }),
      ),
    cancel: deps.cancel,
    back: () => send({ is: "back" }),
    resume: () => resume(deps),
    takeOver: () => openPage(deps, true),
    extend: () => {
      const target = targetIn(state().screen);
      if (target) emit("idem-extend", { step: target.step });
      send({ is: "again" });
    },
    chooseFile: (file) => chooseFile(deps, file),
  };
};
