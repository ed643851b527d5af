/**
 * The states of a transfer. `…-requested` is an intent: it is stored before the call leaves. After `unclear`
 * the operator decides, because the entity may have acted.
 */
export const transferStates = [
  "created",
  "ticket-requested",
  "ticket",
  "token-requested",
  "token",
  "refused",
  "unclear",
  "abandoned",
] as const;

export type TransferState = (typeof transferStates)[number];

/** The states in which the job of a transfer has work. */
export const openStates = ["created", "ticket-requested", "ticket", "token-requested"] as const;

export type OpenState = (typeof openStates)[number];

const open: readonly TransferState[] = openStates;

/** Whether the job of a transfer in this state has work. The table's check states the same. */
export const isOpen = (state: TransferState): boolean => open.includes(state);

/**
 * What happens to a transfer. `not-sent`: the call certainly did not reach the entity. `unknown`: the entity
 * may have acted. `given-up`: the job ends without an answer. `resume-…` and `abandon` are of the operator.
 */
export type TransferMove =
  | "ask-ticket"
  | "ask-token"
  | "not-sent"
  | "granted"
  | "refused"
  | "unknown"
  | "given-up"
  | "resume-anew"
  | "resume-ticket"
  | "abandon";

const moves: Readonly<Record<TransferMove, Partial<Readonly<Record<TransferState, TransferState>>>>> = {
  "ask-ticket": { created: "ticket-requested" },
  "ask-token": { ticket: "token-requested" },
  "not-sent": { "ticket-requested": "created", "token-requested": "ticket" },
  granted: { "ticket-requested": "ticket", "token-requested": "token" },
  refused: { "ticket-requested": "refused", "token-requested": "refused" },
  // A token belongs to one ticket, so that a second question for it does no harm.
  unknown: { "ticket-requested": "unclear", "token-requested": "ticket" },
  "given-up": {
    created: "refused",
    "ticket-requested": "unclear",
    ticket: "unclear",
    "token-requested": "unclear",
  },
  "resume-anew": { refused: "created", unclear: "created" },
  "resume-ticket": { refused: "ticket", unclear: "ticket" },
  abandon: { created: "abandoned", ticket: "abandoned", refused: "abandoned", unclear: "abandoned" },
};

/** The state after a move; undefined where the move is not allowed. */
export const judgeMove = (state: TransferState, move: TransferMove): TransferState | undefined =>
  moves[move][state];

/** The next step of the job of an open transfer. */
export type TransferStep = "ask-ticket" | "repeat-ticket" | "ask-token" | "repeat-token" | "leave-unclear";

/**
 * The step of a job that just got its transfer. A stored intent without an answer means that an earlier run
 * ended within the call. The ticket is asked for again only where the entity answers the same request with
 * the same ticket.
 */
export const judgeStep = (state: OpenState, isRepeatable: boolean): TransferStep => {
  const steps = {
    created: "ask-ticket",
    "ticket-requested": isRepeatable ? "repeat-ticket" : "leave-unclear",
    ticket: "ask-token",
    "token-requested": "repeat-token",
  } as const satisfies Readonly<Record<OpenState, TransferStep>>;
  return steps[state];
};

/** What the operator states when a transfer is resumed. */
export type Resumption = {
  readonly hasTicket: boolean;
  /** The operator got this ticket from the entity by another way. */
  readonly isTicketNamed: boolean;
  /** The entity has confirmed to the operator that it made no ticket. */
  readonly isWithoutTicket: boolean;
};

/**
 * How a settled transfer goes on. A transfer with a ticket asks for its token. One that is unclear without a
 * ticket needs the operator's statement, because a second request could make a second ticket.
 */
export const judgeResumption = (
  state: TransferState,
  { hasTicket, isTicketNamed, isWithoutTicket }: Resumption,
): "resume-anew" | "resume-ticket" | "statement-missing" | "state-refused" => {
  if (state !== "refused" && state !== "unclear") return "state-refused";
  if (hasTicket || isTicketNamed) return "resume-ticket";
  return state === "refused" || isWithoutTicket ? "resume-anew" : "statement-missing";
};
