import { Failure } from "#contract/failure";

/** Local part and domain of at least two labels (RFC 5321, 4.1.2; RFC 6531 for letters beyond ASCII). */
const address =
  /^[^\s@<>()[\]\\,;:"\p{Cc}]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}][\p{L}\p{N}-]{0,61}[\p{L}\p{N}]$/u;

/** Longest address (RFC 5321, 4.5.3.1.3, without the angle brackets). */
const lengthMax = 254;

/**
 * The e-mail address of a person without blanks around it. Fails with contact_unreadable. No mail is sent to
 * check it.
 */
export const readContact = (text: string): string => {
  const contact = text.trim();
  const isAddress = contact.length <= lengthMax && address.test(contact) && !/^\.|\.\.|\.@/.test(contact);
  if (!isAddress) throw new Failure("contact_unreadable");
  return contact;
};
