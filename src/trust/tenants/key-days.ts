/** The validity of a key where no other is stated: a forgotten key must expire. */
export const keyDaysDefault = 365;
