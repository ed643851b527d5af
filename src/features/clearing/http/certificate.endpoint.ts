import { clearingCertificateRoute, previredCertificateRoute } from "#contract/clearing.routes";
import { type Caller, type Endpoint, implement } from "#contract/endpoint";
import { Failure } from "#contract/failure";
import { FileAnswer } from "#contract/file-answer";
import { type CertificateForm, negotiateForm } from "../certificate/negotiate.ts";
import type { OpenCertificate, OpenedCertificate } from "../certificate/open-certificate.ts";
import { refusalPage } from "../certificate/refusal-page.ts";
import { pageHeaders } from "../certificate/write-page.ts";
import type { CheckCredentials } from "../credentials/check-credentials.ts";
import { readCredentials } from "../credentials/read-credentials.ts";

/** The budgets of wrong tokens and passwords. Made by `makeGuesses` (guess-limit.ts). */
export type Guesses = {
  /**
   * Takes a wrong token from its address, after the look-up. Fails with rate_limited where the address has
   * none left.
   */
  readonly chargeWrongToken: (remoteAddress: string) => void;
  /**
   * Takes a guess of address and transaction, before the password is checked; the result gives it back. Fails
   * with rate_limited where one of them has none left: then the right password waits too. Only a caller with
   * a valid token of the transaction may come this far.
   */
  readonly takePassword: (guess: {
    readonly caller: Pick<Caller, "tenantId" | "environment">;
    readonly transactionId: string;
    readonly remoteAddress: string;
  }) => () => void;
};

export type CertificateEndpointDeps = {
  readonly openCertificate: OpenCertificate;
  readonly checkCredentials: CheckCredentials;
  readonly guesses: Guesses;
  /** The forms of this deployment: without a signer no PDF. */
  readonly forms: readonly CertificateForm[];
};

const formOf = (accept: string | undefined, forms: readonly CertificateForm[]): CertificateForm => {
  const form = negotiateForm(accept, forms);
  if (form === undefined) throw new Failure("certificate_form_unavailable", { available: forms });
  return form;
};

const answerOf = (opened: OpenedCertificate) => {
  if (opened.form === "application/json") return opened.content;
  if (opened.form === "text/html") {
    return new FileAnswer("text/html; charset=utf-8", opened.parts, pageHeaders);
  }
  const name = `certificado-${opened.content.codigoVerificacion}.pdf`;
  return new FileAnswer("application/pdf", opened.parts, {
    "content-disposition": `inline; filename="${name}"`,
    vary: "accept",
  });
};

/**
 * The certificate of a verification, under both names of the path. A clerk's browser gets a refusal as a page
 * too.
 */
export const certificateEndpoints = ({
  openCertificate,
  checkCredentials,
  guesses,
  forms,
}: CertificateEndpointDeps): readonly Endpoint[] =>
  [clearingCertificateRoute, previredCertificateRoute].map((route) => ({
    ...implement(route, async (call) => {
      const { caller, asked } = call;
      if (asked === undefined) throw new Error("A certificate was asked for without its headers");
      const { serviceTransactionId: transactionId, token, usuario, clave } = call.request;
      const form = formOf(asked.accept, forms);
      const { remoteAddress } = asked;
      const sent = readCredentials(asked.authorization, { usuario, clave });
      const takeGuess = () => guesses.takePassword({ caller, transactionId, remoteAddress });
      const opened = await openCertificate(call, {
        transactionId,
        token,
        form,
        chargeWrongToken: () => guesses.chargeWrongToken(remoteAddress),
        requireCredentials: () => checkCredentials(caller, sent, takeGuess),
      });
      return answerOf(opened);
    }),
    refusalPage,
  }));
