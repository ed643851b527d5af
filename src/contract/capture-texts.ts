import type { Translated } from "./guidance.ts";

/**
 * Texts of the capture elements by kind. A heading has at most 48 characters, a button 28, a label 60, and a
 * paragraph 220: the layout at 390 px and 200 % text size rests on these (capture-texts.test.ts).
 */
export const captureHeadings = {
  page: {
    es: "Verificación de identidad",
    en: "Identity verification",
    "pt-BR": "Verificação de identidade",
  },
  consent: { es: "Antes de comenzar", en: "Before you begin", "pt-BR": "Antes de começar" },
  camera: { es: "Permita usar la cámara", en: "Allow the camera", "pt-BR": "Permita o uso da câmera" },
  face: {
    es: "Tome una foto de su rostro",
    en: "Take a photo of your face",
    "pt-BR": "Tire uma foto do seu rosto",
  },
  front: {
    es: "Frente del documento",
    en: "Front of the document",
    "pt-BR": "Frente do documento",
  },
  back: { es: "Reverso del documento", en: "Back of the document", "pt-BR": "Verso do documento" },
  preview: { es: "¿Se ve bien la imagen?", en: "Is the image clear?", "pt-BR": "A imagem está nítida?" },
  sending: { es: "Enviando la imagen", en: "Sending the image", "pt-BR": "Enviando a imagem" },
  again: { es: "Intentemos de nuevo", en: "Let us try again", "pt-BR": "Vamos tentar de novo" },
  accepted: { es: "Paso completado", en: "Step completed", "pt-BR": "Etapa concluída" },
  finished: { es: "Listo", en: "All done", "pt-BR": "Pronto" },
  failed: {
    es: "No se pudo completar",
    en: "This could not be completed",
    "pt-BR": "Não foi possível concluir",
  },
  cancelled: { es: "Captura cancelada", en: "Capture cancelled", "pt-BR": "Captura cancelada" },
  ladder: {
    es: "Otra forma de continuar",
    en: "Another way to continue",
    "pt-BR": "Outra forma de continuar",
  },
  handoff: {
    es: "Continúe en su teléfono",
    en: "Continue on your phone",
    "pt-BR": "Continue no seu celular",
  },
  problem: { es: "Hay un problema", en: "There is a problem", "pt-BR": "Há um problema" },
  paused: { es: "Captura en pausa", en: "Capture paused", "pt-BR": "Captura em pausa" },
  moreTime: { es: "¿Necesita más tiempo?", en: "Do you need more time?", "pt-BR": "Precisa de mais tempo?" },
} as const satisfies Readonly<Record<string, Translated>>;

export const captureButtons = {
  agree: { es: "Acepto y continuar", en: "I agree, continue", "pt-BR": "Concordo, continuar" },
  decline: { es: "No acepto", en: "I do not agree", "pt-BR": "Não concordo" },
  openCamera: { es: "Abrir la cámara", en: "Open the camera", "pt-BR": "Abrir a câmera" },
  shutter: { es: "Tomar la foto", en: "Take the photo", "pt-BR": "Tirar a foto" },
  use: { es: "Usar esta imagen", en: "Use this image", "pt-BR": "Usar esta imagem" },
  again: { es: "Repetir", en: "Try again", "pt-BR": "Repetir" },
  switchCamera: { es: "Cambiar de cámara", en: "Switch camera", "pt-BR": "Trocar de câmera" },
  otherWay: { es: "Otra forma", en: "Another way", "pt-BR": "Outra forma" },
  usePhone: { es: "Usar mi teléfono", en: "Use my phone", "pt-BR": "Usar meu celular" },
  upload: { es: "Elegir un archivo", en: "Choose a file", "pt-BR": "Escolher um arquivo" },
  cancel: { es: "Cancelar", en: "Cancel", "pt-BR": "Cancelar" },
  back: { es: "Volver", en: "Go back", "pt-BR": "Voltar" },
  resume: { es: "Continuar", en: "Continue", "pt-BR": "Continuar" },
  takeOver: { es: "Continuar aquí", en: "Continue here", "pt-BR": "Continuar aqui" },
  extend: { es: "Necesito más tiempo", en: "I need more time", "pt-BR": "Preciso de mais tempo" },
} as const satisfies Readonly<Record<string, Translated>>;

export const captureLabels = {
  starting: { es: "Iniciando la cámara", en: "Starting the camera", "pt-BR": "Iniciando a câmera" },
  loading: { es: "Cargando", en: "Loading", "pt-BR": "Carregando" },
  ready: {
    es: "Bien, mantenga esa posición",
    en: "Good, keep that position",
    "pt-BR": "Ótimo, mantenha essa posição",
  },
  taken: { es: "Imagen tomada", en: "Image taken", "pt-BR": "Imagem capturada" },
  turnLeft: {
    es: "Gire la cabeza a su izquierda",
    en: "Turn your head to your left",
    "pt-BR": "Vire a cabeça para a sua esquerda",
  },
  turnRight: {
    es: "Gire la cabeza a su derecha",
    en: "Turn your head to your right",
    "pt-BR": "Vire a cabeça para a sua direita",
  },
  turnUp: { es: "Levante la cabeza", en: "Lift your head", "pt-BR": "Levante a cabeça" },
  turnDown: { es: "Baje la cabeza", en: "Lower your head", "pt-BR": "Abaixe a cabeça" },
  turnBack: {
    es: "Vuelva a mirar de frente",
    en: "Look straight ahead again",
    "pt-BR": "Volte a olhar para a frente",
  },
  moveLeft: { es: "Un poco a su izquierda", en: "A little to your left", "pt-BR": "Um pouco à sua esquerda" },
  moveRight: { es: "Un poco a su derecha", en: "A little to your right", "pt-BR": "Um pouco à sua direita" },
  moveUp: { es: "Un poco más arriba", en: "A little higher", "pt-BR": "Um pouco mais alto" },
  moveDown: { es: "Un poco más abajo", en: "A little lower", "pt-BR": "Um pouco mais baixo" },
  video: { es: "Imagen de la cámara", en: "Camera image", "pt-BR": "Imagem da câmera" },
  preview: {
    es: "Imagen tomada, para revisar",
    en: "Image taken, to check",
    "pt-BR": "Imagem capturada, para conferir",
  },
  qr: {
    es: "Código QR para abrir en su teléfono",
    en: "QR code to open on your phone",
    "pt-BR": "Código QR para abrir no seu celular",
  },
  code: { es: "Código de coincidencia", en: "Matching code", "pt-BR": "Código de correspondência" },
  progress: { es: "Progreso del envío", en: "Upload progress", "pt-BR": "Progresso do envio" },
  judging: {
    es: "Estamos revisando su imagen",
    en: "Your image is being checked",
    "pt-BR": "Sua imagem está sendo conferida",
  },
  ahead: {
    es: "Imágenes que se revisan antes de la suya: {count}",
    en: "Images that are checked before yours: {count}",
    "pt-BR": "Imagens conferidas antes da sua: {count}",
  },
  triesLeft: {
    es: "Intentos restantes: {count}",
    en: "Tries left: {count}",
    "pt-BR": "Tentativas restantes: {count}",
  },
  step: { es: "Paso {at} de {count}", en: "Step {at} of {count}", "pt-BR": "Etapa {at} de {count}" },
  openInBrowser: { es: "Abrir en el navegador", en: "Open in the browser", "pt-BR": "Abrir no navegador" },
  language: { es: "Idioma", en: "Language", "pt-BR": "Idioma" },
  returnTo: { es: "Volver a {host}", en: "Return to {host}", "pt-BR": "Voltar para {host}" },
  testKey: { es: "Entorno de prueba", en: "Test environment", "pt-BR": "Ambiente de teste" },
} as const satisfies Readonly<Record<string, Translated>>;

export const captureParagraphs = {
  consent: {
    es: "Nada se envía antes de que usted acepte.",
    en: "Nothing is sent before you agree.",
    "pt-BR": "Nada é enviado antes de você concordar.",
  },
  camera: {
    es: "Su navegador le pedirá permiso. La cámara se apaga cuando usted termina o cancela.",
    en: "Your browser will ask for permission. The camera is switched off when you finish or cancel.",
    "pt-BR": "Seu navegador pedirá permissão. A câmera é desligada quando você termina ou cancela.",
  },
  face: {
    es: "Mire a la cámara con buena luz, sin lentes oscuros ni mascarilla.",
    en: "Look at the camera in good light, without dark glasses or a mask.",
    "pt-BR": "Olhe para a câmera com boa luz, sem óculos escuros nem máscara.",
  },
  turn: {
    es: "Después mueva la cabeza como indique la flecha, dos veces.",
    en: "Then move your head as the arrow shows, twice.",
    "pt-BR": "Depois mova a cabeça como a seta indicar, duas vezes.",
  },
  document: {
    es: "Ponga el documento sobre una superficie oscura y plana, sin reflejos.",
    en: "Put the document on a dark, flat surface without reflections.",
    "pt-BR": "Coloque o documento sobre uma superfície escura e plana, sem reflexos.",
  },
  preview: {
    es: "Revise que la imagen esté nítida, completa y sin reflejos.",
    en: "Check that the image is sharp, complete and without glare.",
    "pt-BR": "Confira se a imagem está nítida, completa e sem reflexos.",
  },
  finished: {
    es: "Sus imágenes fueron recibidas. Ya puede cerrar esta página.",
    en: "Your images were received. You can close this page now.",
    "pt-BR": "Suas imagens foram recebidas. Você já pode fechar esta página.",
  },
  failed: {
    es: "No quedan intentos. Su solicitud puede seguir por otro medio.",
    en: "No tries are left. Your request can go on in another way.",
    "pt-BR": "Não restam tentativas. Sua solicitação pode seguir por outro meio.",
  },
  cancelled: {
    es: "No se enviará nada más. Puede cerrar esta página.",
    en: "Nothing more will be sent. You can close this page.",
    "pt-BR": "Nada mais será enviado. Você pode fechar esta página.",
  },
  ladder: {
    es: "Elija cómo quiere continuar. Lo que ya fue aceptado no se pierde.",
    en: "Choose how you want to continue. What was accepted already is kept.",
    "pt-BR": "Escolha como quer continuar. O que já foi aceito não se perde.",
  },
  handoff: {
    es: "Escanee el código con la cámara de su teléfono. Verifique que en ambas pantallas aparezca el mismo código.",
    en: "Scan the code with the camera of your phone. Check that both screens show the same code.",
    "pt-BR":
      "Escaneie o código com a câmera do seu celular. Confira se as duas telas mostram o mesmo código.",
  },
  phone: {
    es: "Este paso usa la cámara de su teléfono. Verá un código para continuar en él.",
    en: "This step uses the camera of your phone. You will see a code to continue there.",
    "pt-BR": "Esta etapa usa a câmera do seu celular. Você verá um código para continuar nele.",
  },
  confirm: {
    es: "Compare este código con el de la otra pantalla. Continúe solo si es el mismo.",
    en: "Compare this code with the one on the other screen. Continue only if it is the same.",
    "pt-BR": "Compare este código com o da outra tela. Continue somente se for o mesmo.",
  },
  inAppBrowser: {
    es: "Esta página está abierta dentro de otra aplicación, que puede bloquear la cámara. Ábrala en su navegador.",
    en: "This page is open inside another app, which may block the camera. Open it in your browser.",
    "pt-BR":
      "Esta página está aberta dentro de outro aplicativo, que pode bloquear a câmera. Abra-a no seu navegador.",
  },
  human: {
    es: "Si no puede usar la cámara, pida ayuda a la institución que le envió aquí.",
    en: "If you cannot use a camera, ask the institution that sent you here for help.",
    "pt-BR": "Se não puder usar uma câmera, peça ajuda à instituição que enviou você aqui.",
  },
  paused: {
    es: "La cámara se apagó porque la página dejó de verse. Puede continuar cuando quiera.",
    en: "The camera was switched off because the page was hidden. You can continue when you like.",
    "pt-BR": "A câmera foi desligada porque a página ficou oculta. Você pode continuar quando quiser.",
  },
  moreTime: {
    es: "El tiempo de este paso está por terminar. Puede pedir más tiempo.",
    en: "The time for this step is about to end. You can ask for more.",
    "pt-BR": "O tempo desta etapa está acabando. Você pode pedir mais tempo.",
  },
  sessionEnds: {
    es: "La sesión termina en menos de un minuto.",
    en: "The session ends in less than a minute.",
    "pt-BR": "A sessão termina em menos de um minuto.",
  },
} as const satisfies Readonly<Record<string, Translated>>;
