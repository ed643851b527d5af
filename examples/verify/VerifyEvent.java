import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Verifies workflow events. Java 11 or later, without a library.
 *
 * <pre>java VerifyEvent.java SECRET now sample.json      # reads sample.json and sample.headers</pre>
 */
public final class VerifyEvent {
  private static final long TOLERANCE_SECONDS = 300;

  /** The members of an event from its signature to its end. */
  private static final Pattern TAIL =
      Pattern.compile(
          ",\"signature\":\"([A-Za-z0-9+/]{43}=)\""
              + "(,\"source\":\"[^\"\\\\]*\",\"specversion\":\"1\\.0\",\"time\":\"[^\"\\\\]*\",\"type\":\"[^\"\\\\]*\"})");

  /** The message is not genuine, or too old. */
  public static final class Refused extends Exception {
    public Refused(String reason) {
      super(reason);
    }
  }

  /** Standard Webhooks signature and time of a delivery. Header names are in lower case. */
  public static void verifyWebhook(byte[] body, Map<String, String> headers, List<String> secrets, long now)
      throws Refused, GeneralSecurityException {
    String id = headers.getOrDefault("webhook-id", "");
    String timestamp = headers.getOrDefault("webhook-timestamp", "");
    String signatures = headers.getOrDefault("webhook-signature", "");
    if (id.isEmpty() || timestamp.isEmpty() || signatures.isEmpty()) throw new Refused("a header is missing");
    if (!timestamp.matches("[0-9]{1,12}")) throw new Refused("the time is unreadable");
    if (Math.abs(now - Long.parseLong(timestamp)) > TOLERANCE_SECONDS) {
      throw new Refused("too old, or the clock is wrong");
    }
    byte[] start = (id + "." + timestamp + ".").getBytes(UTF_8);
    byte[] signed = Arrays.copyOf(start, start.length + body.length);
    System.arraycopy(body, 0, signed, start.length, body.length);
    for (String secret : secrets) {
      byte[] key = Base64.getDecoder().decode(secret.replaceFirst("^whsec_", ""));
      for (String one : signatures.split(" ")) {
        if (one.startsWith("v1,") && isSigned(key, signed, one.substring(3))) return;
      }
    }
    throw new Refused("no signature of the headers holds");
  }

  /**
   * The event's own signature. The body is canonical, so the signed bytes are the body without the member `signature`.
   * It is the last one of this name: `data` stands before it.
   */
  public static void verifyEvent(byte[] body, List<String> secrets) throws Refused, GeneralSecurityException {
    String text = new String(body, ISO_8859_1); // one character for each byte
    int at = text.lastIndexOf(",\"signature\":\"");
    Matcher tail = TAIL.matcher(at < 0 ? "" : text.substring(at));
    if (!tail.matches()) throw new Refused("the body is no event");
    byte[] signed = (text.substring(0, at) + tail.group(2)).getBytes(ISO_8859_1);
    for (String secret : secrets) {
      if (isSigned(secret.getBytes(UTF_8), signed, tail.group(1))) return;
    }
    throw new Refused("the signature of the event does not hold");
  }

  /** Compares in constant time. */
  private static boolean isSigned(byte[] key, byte[] signed, String signature) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    String expected = Base64.getEncoder().encodeToString(mac.doFinal(signed));
    return MessageDigest.isEqual(expected.getBytes(UTF_8), signature.getBytes(UTF_8));
  }

  private static Map<String, String> readHeaders(Path path) throws IOException {
    return Files.readAllLines(path).stream()
        .map(line -> line.split(": ", 2))
        .collect(Collectors.toMap(pair -> pair[0].toLowerCase(Locale.ROOT), pair -> pair[1]));
  }

  public static void main(String[] arguments) throws Exception {
    if (arguments.length < 3) {
      System.err.println("Usage: java VerifyEvent.java SECRET now|UNIX_TIME FILE.json ...");
      System.exit(2);
    }
    List<String> secrets = List.of(arguments[0]);
    long now = arguments[1].equals("now") ? System.currentTimeMillis() / 1000 : Long.parseLong(arguments[1]);
    int refused = 0;
    for (String file : Arrays.copyOfRange(arguments, 2, arguments.length)) {
      try {
        byte[] body = Files.readAllBytes(Path.of(file));
        verifyWebhook(body, readHeaders(Path.of(file.replaceFirst("\\.json$", ".headers"))), secrets, now);
        verifyEvent(body, secrets);
        System.out.println("verified " + file);
      } catch (Refused reason) {
        refused++;
        System.out.println("refused " + file + ": " + reason.getMessage());
      }
    }
    System.exit(refused == 0 ? 0 : 1);
  }
}
