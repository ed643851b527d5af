/**
 * Regions for which the recognisers have the highest FMR (docs/measurements/fairness.md, "False matches by
 * group"): three regions of the UN's M49 list, by the names in the portraits' prompts. Countries without a
 * portrait are left out.
 */
export const origins = {
  southernAsia: ["Bangladesh", "India", "Nepal", "Pakistan", "Sri Lanka"],
  subSaharanAfrica: [
    "Angola",
    "Benin",
    "Botswana",
    "Cameroon",
    "Central African Republic",
    "Comoros",
    "Cote d'Ivoire",
    "Democratic Republic of the Congo",
    "Djibouti",
    "Equatorial Guinea",
    "Eritrea",
    "Eswatini",
    "Gabon",
    "Gambia",
    "Ghana",
    "Malawi",
    "Mauritania",
    "Mayotte",
    "Mozambique",
    "Namibia",
    "Rwanda",
    "Sao Tome and Principe",
    "Senegal",
    "Seychelles",
    "Somalia",
    "South Sudan",
    "Tanzania",
    "Togo",
    "Zimbabwe",
  ],
  easternAndSouthEasternAsia: [
    "Brunei Darussalam",
    "Cambodia",
    "China",
    "Democratic People's Republic of Korea",
    "Hong Kong",
    "Indonesia",
    "Japan",
    "Lao People's Democratic Republic",
    "Mongolia",
    "Republic of Korea",
    "Singapore",
    "Taiwan",
    "Thailand",
    "Timor-Leste",
  ],
} satisfies Readonly<Record<string, readonly string[]>>;

/** The country of a prompt such as "profile image of a 22-year-old woman from Japan". */
export const countryOf = (prompt: string): string => / from (.+)$/.exec(prompt)?.[1] ?? "";
