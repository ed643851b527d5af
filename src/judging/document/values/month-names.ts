/**
 * The months' names in Spanish, Portuguese, English, French, German, Italian, Slovak, Czech (both with the
 * genitive that dates use), Polish and Romanian, folded. Croatian is excluded: its lipanj, srpanj and
 * listopad are other months than the same words in Polish and Czech, and its cards print digits.
 */
const names: readonly string[] = [
  "ENERO JANEIRO JANUARY JANVIER JANUAR JANUARA GENNAIO LEDEN LEDNA STYCZEN STYCZNIA IANUARIE",
  "FEBRERO FEVEREIRO FEBRUARY FEVRIER FEBRUAR FEBRUARA FEBBRAIO UNOR UNORA LUTY LUTEGO FEBRUARIE",
  "MARZO MARCO MARCH MARS MARZ MAREC MARCA BREZEN BREZNA MARZEC MARTIE",
  "ABRIL APRIL APRILA AVRIL APRILE DUBEN DUBNA KWIECIEN KWIETNIA APRILIE",
  "MAYO MAIO MAY MAI MAJ MAJA MAGGIO KVETEN KVETNA",
  "JUNIO JUNHO JUNE JUIN JUNI JUN JUNA GIUGNO CERVEN CERVNA CZERWIEC CZERWCA IUNIE",
  "JULIO JULHO JULY JUILLET JULI JUL JULA LUGLIO CERVENEC CERVENCE LIPIEC LIPCA IULIE",
  "AGOSTO AUGUST AUGUSTA AOUT SRPEN SRPNA SIERPIEN SIERPNIA",
  "SEPTIEMBRE SETIEMBRE SETEMBRO SEPTEMBER SEPTEMBRA SEPTEMBRE SETTEMBRE ZARI WRZESIEN WRZESNIA SEPTEMBRIE",
  "OCTUBRE OUTUBRO OCTOBER OCTOBRE OKTOBER OKTOBRA OTTOBRE RIJEN RIJNA PAZDZIERNIK PAZDZIERNIKA OCTOMBRIE",
  "NOVIEMBRE NOVEMBRO NOVEMBER NOVEMBRA NOVEMBRE LISTOPAD LISTOPADU LISTOPADA NOIEMBRIE",
  "DICIEMBRE DEZEMBRO DECEMBER DECEMBRA DEZEMBER DECEMBRE DICEMBRE PROSINEC PROSINCE GRUDZIEN GRUDNIA DECEMBRIE",
];

const months: readonly (readonly string[])[] = names.map((line) => line.split(" "));

/** The month 1…12 of a folded name, or of its first three or more letters when these mean one month only. */
export const monthOfName = (word: string): number | undefined => {
  const whole = months.findIndex((words) => words.includes(word));
  if (whole >= 0) {
    return whole + 1;
  }
  const begun = months.flatMap((words, i) => (words.some((name) => name.startsWith(word)) ? [i + 1] : []));
  return word.length >= 3 && begun.length === 1 ? begun[0] : undefined;
};
