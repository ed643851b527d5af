import type { Translated } from "./guidance.ts";

/**
 * Problems of a capture, by the code that `idem-error` carries, as the capture subject reads them: what
 * happened and what to do. A code is that of the failure catalogue (failure.ts) or one of the page's own
 * (`camera_…`, `page_…`). At most 160 characters. Every other code has the text of `unexpected`.
 */
export const captureProblemTexts = {
  camera_denied: {
    es: "El permiso de la cámara fue rechazado. Permítalo en la configuración del navegador o elija otra forma.",
    en: "Permission for the camera was refused. Allow it in the browser's settings, or choose another way.",
    "pt-BR":
      "A permissão da câmera foi recusada. Permita-a nas configurações do navegador ou escolha outra forma.",
  },
  camera_missing: {
    es: "No se encontró una cámara. Conecte una o elija otra forma.",
    en: "No camera was found. Connect one, or choose another way.",
    "pt-BR": "Nenhuma câmera foi encontrada. Conecte uma ou escolha outra forma.",
  },
  camera_busy: {
    es: "Otra aplicación está usando la cámara. Ciérrela e intente de nuevo.",
    en: "Another app is using the camera. Close it and try again.",
    "pt-BR": "Outro aplicativo está usando a câmera. Feche-o e tente de novo.",
  },
  camera_insecure: {
    es: "El navegador solo permite la cámara en páginas seguras (https).",
    en: "The browser allows the camera on secure pages (https) only.",
    "pt-BR": "O navegador só permite a câmera em páginas seguras (https).",
  },
  camera_unsupported: {
    es: "Este navegador no permite usar la cámara. Abra la página en otro navegador o elija otra forma.",
    en: "This browser cannot use the camera. Open the page in another browser, or choose another way.",
    "pt-BR":
      "Este navegador não permite usar a câmera. Abra a página em outro navegador ou escolha outra forma.",
  },
  camera_grey: {
    es: "Esa cámara es infrarroja y no sirve aquí. Cambie de cámara.",
    en: "That camera is an infrared one and does not work here. Switch the camera.",
    "pt-BR": "Essa câmera é infravermelha e não serve aqui. Troque de câmera.",
  },
  camera_silent: {
    es: "La cámara no entrega imágenes. Cierre otras aplicaciones e intente de nuevo.",
    en: "The camera gives no images. Close other apps and try again.",
    "pt-BR": "A câmera não fornece imagens. Feche outros aplicativos e tente de novo.",
  },
  page_offline: {
    es: "Se perdió la conexión. El envío continuará cuando vuelva.",
    en: "The connection was lost. The upload goes on when it is back.",
    "pt-BR": "A conexão foi perdida. O envio continua quando ela voltar.",
  },
  capture_challenge_missing: {
    es: "Se terminó el tiempo de este paso. Puede intentar de nuevo.",
    en: "The time for this step is over. You can try again.",
    "pt-BR": "O tempo desta etapa terminou. Você pode tentar de novo.",
  },
  page_file_unreadable: {
    es: "El archivo no es una imagen JPEG o PNG. Elija otro.",
    en: "The file is no JPEG or PNG image. Choose another one.",
    "pt-BR": "O arquivo não é uma imagem JPEG ou PNG. Escolha outro.",
  },
  page_file_large: {
    es: "El archivo es demasiado grande. Elija uno más pequeño.",
    en: "The file is too large. Choose a smaller one.",
    "pt-BR": "O arquivo é grande demais. Escolha um menor.",
  },
  page_link_missing: {
    es: "Esta página se abre con el enlace que usted recibió. Ábralo de nuevo desde el mensaje o la página original.",
    en: "This page opens with the link that you received. Open it again from the message or page where you found it.",
    "pt-BR":
      "Esta página abre com o link que você recebeu. Abra-o novamente na mensagem ou página em que o encontrou.",
  },
  page_consent_declined: {
    es: "Sin su acuerdo no se toma ninguna imagen. Pida otra forma a la institución.",
    en: "Without your agreement no image is taken. Ask the institution for another way.",
    "pt-BR": "Sem a sua concordância nenhuma imagem é capturada. Peça outra forma à instituição.",
  },
  capture_open_elsewhere: {
    es: "La captura está abierta en otra ventana o dispositivo. Puede continuar aquí si lo desea.",
    en: "The capture is open in another window or device. You can continue here instead.",
    "pt-BR": "A captura está aberta em outra janela ou dispositivo. Você pode continuar aqui.",
  },
  capture_bound: {
    es: "La captura solo puede seguir en la ventana o en el teléfono que capturó por último. Si ya se cerró, pida un enlace nuevo a la institución.",
    en: "The capture can only go on in the window where it began or on the telephone that captured last. If that is closed, ask the institution for a new link.",
    "pt-BR":
      "A captura só pode continuar na janela ou no celular que capturou por último. Se já foi fechada, peça um novo link à instituição.",
  },
  capture_consent_missing: {
    es: "Falta su acuerdo. Acepte para continuar.",
    en: "Your agreement is missing. Agree to continue.",
    "pt-BR": "Falta a sua concordância. Concorde para continuar.",
  },
  capture_expired: {
    es: "La sesión terminó. Pida un enlace nuevo a la institución.",
    en: "The session has ended. Ask the institution for a new link.",
    "pt-BR": "A sessão terminou. Peça um novo link à instituição.",
  },
  capture_ended: {
    es: "Esta captura ya terminó. Puede cerrar la página.",
    en: "This capture has ended already. You can close the page.",
    "pt-BR": "Esta captura já terminou. Você pode fechar a página.",
  },
  capture_consent_outdated: {
    es: "El texto de su acuerdo cambió. Léalo y acéptelo de nuevo.",
    en: "The text of your agreement has changed. Please read it and agree again.",
    "pt-BR": "O texto da sua concordância mudou. Leia e concorde novamente.",
  },
  capture_handoff_refused: {
    es: "El código para el teléfono ya no es válido. Pida uno nuevo en la otra pantalla.",
    en: "The code for the phone is no longer valid. Ask for a new one on the other screen.",
    "pt-BR": "O código para o celular não é mais válido. Peça um novo na outra tela.",
  },
  capture_origin_refused: {
    es: "Esta página no puede usar la captura. Avise a la institución que le envió aquí.",
    en: "This page may not use the capture. Tell the institution that sent you here.",
    "pt-BR": "Esta página não pode usar a captura. Avise a instituição que enviou você aqui.",
  },
  capture_paused: {
    es: "Hubo demasiados intentos seguidos. Espere unos minutos e intente de nuevo.",
    en: "There were too many tries in a row. Wait some minutes and try again.",
    "pt-BR": "Houve tentativas demais seguidas. Espere alguns minutos e tente de novo.",
  },
  capture_uploads_exhausted: {
    es: "No quedan envíos en esta sesión. Pida un enlace nuevo a la institución.",
    en: "This session takes no more images. Ask the institution for a new link.",
    "pt-BR": "Esta sessão não aceita mais imagens. Peça um novo link à instituição.",
  },
  unauthorized: {
    es: "El enlace ya no es válido. Pida uno nuevo a la institución.",
    en: "The link is no longer valid. Ask the institution for a new one.",
    "pt-BR": "O link não é mais válido. Peça um novo à instituição.",
  },
  unexpected: {
    es: "Algo no funcionó. Intente de nuevo en un momento.",
    en: "Something did not work. Try again in a moment.",
    "pt-BR": "Algo não funcionou. Tente de novo em um momento.",
  },
} as const satisfies Readonly<Record<string, Translated>>;

export type CaptureProblemCode = keyof typeof captureProblemTexts;

const isProblemCode = (code: string): code is CaptureProblemCode => Object.hasOwn(captureProblemTexts, code);

/** The text of a problem by its code; a code without a text of its own has that of `unexpected`. */
export const problemTextsOf = (code: string): Translated =>
  captureProblemTexts[isProblemCode(code) ? code : "unexpected"];
