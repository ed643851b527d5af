/** Languages in which a capture speaks to its subject; the first is the default. BCP 47. */
export const captureLanguages = ["es", "en", "pt-BR"] as const;

export type CaptureLanguage = (typeof captureLanguages)[number];

/** One text in each language. */
export type Translated = Readonly<Record<CaptureLanguage, string>>;

/**
 * What the capture subject should do next, by code. The widget shows these while the camera runs, and the
 * service returns the codes with the judgement of a step. One instruction: at most 60 characters, so that it
 * fits a plate of two lines at 390 px. Codes are public: add freely, never rename.
 */
export const guidanceTexts = {
  no_face: {
    es: "Ubique su rostro dentro del óvalo",
    en: "Place your face inside the oval",
    "pt-BR": "Posicione seu rosto dentro do oval",
  },
  many_faces: {
    es: "Solo debe verse una persona",
    en: "Only one person should be visible",
    "pt-BR": "Apenas uma pessoa deve aparecer",
  },
  closer: { es: "Acérquese", en: "Move closer", "pt-BR": "Aproxime-se" },
  further: { es: "Aléjese un poco", en: "Move back a little", "pt-BR": "Afaste-se um pouco" },
  center: {
    es: "Centre su rostro en el óvalo",
    en: "Center your face in the oval",
    "pt-BR": "Centralize seu rosto no oval",
  },
  turn_less: { es: "Mire de frente", en: "Look straight ahead", "pt-BR": "Olhe para a frente" },
  eyes_open: {
    es: "Mantenga los ojos abiertos",
    en: "Keep your eyes open",
    "pt-BR": "Mantenha os olhos abertos",
  },
  uncover_face: { es: "Descubra su rostro", en: "Uncover your face", "pt-BR": "Descubra seu rosto" },
  too_dark: {
    es: "Falta luz: busque un lugar más iluminado",
    en: "Too dark: find a brighter place",
    "pt-BR": "Pouca luz: procure um lugar mais claro",
  },
  too_bright: {
    es: "Demasiada luz: evite la luz directa",
    en: "Too bright: avoid direct light",
    "pt-BR": "Luz demais: evite a luz direta",
  },
  hold_still: { es: "No se mueva", en: "Hold still", "pt-BR": "Não se mova" },
  no_document: {
    es: "Ubique el documento dentro del marco",
    en: "Place the document inside the frame",
    "pt-BR": "Posicione o documento dentro da moldura",
  },
  fit_frame: {
    es: "Acerque el documento hasta llenar el marco",
    en: "Bring the document closer to fill the frame",
    "pt-BR": "Aproxime o documento até preencher a moldura",
  },
  tilt_less: {
    es: "Ponga el documento plano y derecho",
    en: "Keep the document flat and level",
    "pt-BR": "Mantenha o documento plano e reto",
  },
  glare: {
    es: "Hay reflejos: incline un poco el documento",
    en: "There is glare: tilt the document slightly",
    "pt-BR": "Há reflexos: incline um pouco o documento",
  },
  blur: {
    es: "La imagen está borrosa: mantenga firme la cámara",
    en: "The image is blurred: keep the camera steady",
    "pt-BR": "A imagem está borrada: mantenha a câmera firme",
  },
  turn_over: { es: "Dé vuelta el documento", en: "Turn the document over", "pt-BR": "Vire o documento" },
  wrong_side: {
    es: "Ese es el otro lado: dé vuelta el documento",
    en: "That is the other side: turn the document over",
    "pt-BR": "Esse é o outro lado: vire o documento",
  },
  turn_more: { es: "Gire un poco más", en: "Turn a little more", "pt-BR": "Vire um pouco mais" },
  move_slower: { es: "Muévase más lento", en: "Move more slowly", "pt-BR": "Mova-se mais devagar" },
  face_lost: {
    es: "Mantenga el rostro dentro de la imagen",
    en: "Keep your face inside the image",
    "pt-BR": "Mantenha o rosto dentro da imagem",
  },
} as const satisfies Readonly<Record<string, Translated>>;

export type GuidanceCode = keyof typeof guidanceTexts;

/** Every code, in the order of the page api/guidance-codes.md. */
export const guidanceCodes: readonly GuidanceCode[] = Object.keys(guidanceTexts).filter(
  (code): code is GuidanceCode => code in guidanceTexts,
);

/** Whether a text that another program sent is a guidance code. */
export const isGuidanceCode = (text: string): text is GuidanceCode => Object.hasOwn(guidanceTexts, text);

const primaryOf = (tag: string): string => tag.toLowerCase().split("-")[0] ?? "";

/** The supported language nearest to these wishes (BCP 47, best first), else the first offered one. */
export const chooseLanguage = (
  wishes: readonly string[],
  offered: readonly CaptureLanguage[] = captureLanguages,
): CaptureLanguage => {
  const found = wishes
    .map((wish) => offered.find((language) => primaryOf(language) === primaryOf(wish)))
    .find((language) => language !== undefined);
  return found ?? offered[0] ?? captureLanguages[0];
};
