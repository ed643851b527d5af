/** The text to which a person consents before the first image. */
import { type Static, Type } from "typebox";
import type { CaptureLanguage } from "#contract/guidance";
import { makeCheck } from "#contract/make-check";

const text = Type.String({ minLength: 1, maxLength: 4000 });

const consentTexts = Type.Object({
  version: Type.String({ minLength: 1, maxLength: 64 }),
  texts: Type.Object({ es: text, en: text, "pt-BR": text }),
});

export type ConsentTexts = Static<typeof consentTexts>;

const check = makeCheck(consentTexts);

/**
 * The texts of a new installation. They name what happens and that it can be refused. An operator whose law
 * or privacy notice asks for more sets texts of its own (IDEM_CAPTURE_CONSENT).
 */
export const defaultConsent: ConsentTexts = {
  version: "idem-1",
  texts: {
    es: "Para verificar su identidad se toman imágenes de su rostro o de su documento. Se envían cifradas y se usan solo para esta verificación. Usted puede negarse y cancelar en cualquier momento.",
    en: "To verify your identity, images of your face or your document are taken. They are sent encrypted and used for this verification alone. You may refuse, and cancel at any time.",
    "pt-BR":
      "Para verificar sua identidade, são capturadas imagens do seu rosto ou do seu documento. Elas são enviadas criptografadas e usadas somente para esta verificação. Você pode recusar e cancelar a qualquer momento.",
  },
};

/** The texts of an operator's file. Throws Error with the reason. */
export const parseConsent = (json: string): ConsentTexts => {
  const value: unknown = JSON.parse(json);
  if (check.Check(value)) return value;
  throw new Error(
    "It must have `version` (1 to 64 characters) and `texts` with es, en and pt-BR (1 to 4,000 characters each).",
  );
};

export const consentIn = ({ texts }: ConsentTexts, language: CaptureLanguage): string => texts[language];
