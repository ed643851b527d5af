/**
 * The items of a comma-separated value, without the spaces around them. A comma too many makes an empty item,
 * which no setting takes.
 */
export const itemsOf = (text: string): readonly string[] => text.split(",").map((item) => item.trim());
