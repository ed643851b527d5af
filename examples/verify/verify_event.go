// Verifies workflow events. Go 1.18 or later, standard library alone.
//
//	go run verify_event.go SECRET now sample.json      # reads sample.json and sample.headers
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const toleranceSeconds = 300

// tail matches the members of an event from its signature to its end.
var tail = regexp.MustCompile(`^,"signature":"([A-Za-z0-9+/]{43}=)"` +
	`(,"source":"[^"\\]*","specversion":"1\.0","time":"[^"\\]*","type":"[^"\\]*"\})$`)

var unixTime = regexp.MustCompile(`^[0-9]{1,12}$`)

// VerifyWebhook checks the Standard Webhooks signature and the time of a delivery. Header names are in lower case.
func VerifyWebhook(body []byte, headers map[string]string, secrets []string, now int64) error {
	id, timestamp, signatures := headers["webhook-id"], headers["webhook-timestamp"], headers["webhook-signature"]
	if id == "" || timestamp == "" || signatures == "" {
		return errors.New("a header is missing")
	}
	if !unixTime.MatchString(timestamp) {
		return errors.New("the time is unreadable")
	}
	sent, _ := strconv.ParseInt(timestamp, 10, 64)
	if now-sent > toleranceSeconds || sent-now > toleranceSeconds {
		return errors.New("too old, or the clock is wrong")
	}
	signed := append([]byte(id+"."+timestamp+"."), body...)
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil {
			return errors.New("the secret is not 'whsec_' and Base64")
		}
		for _, one := range strings.Split(signatures, " ") {
			if strings.HasPrefix(one, "v1,") && isSigned(key, signed, one[3:]) {
				return nil
			}
		}
	}
	return errors.New("no signature of the headers holds")
}

// VerifyEvent checks the event's own signature. The body is canonical, so the signed bytes are the body without the
// member `signature`. It is the last one of this name: `data` stands before it.
func VerifyEvent(body []byte, secrets []string) error {
	at := bytes.LastIndex(body, []byte(`,"signature":"`))
	if at < 0 {
		return errors.New("the body is no event")
	}
	found := tail.FindSubmatch(body[at:])
	if found == nil {
		return errors.New("the body is no event")
	}
	signed := append(append([]byte{}, body[:at]...), found[2]...)
	for _, secret := range secrets {
		if isSigned([]byte(secret), signed, string(found[1])) {
			return nil
		}
	}
	return errors.New("the signature of the event does not hold")
}

// isSigned compares in constant time.
func isSigned(key, signed []byte, signature string) bool {
	mac := hmac.New(sha256.New, key)
	mac.Write(signed)
	expected := base64.StdEncoding.EncodeToString(mac.Sum(nil))
	return hmac.Equal([]byte(expected), []byte(signature))
}

func readHeaders(path string) (map[string]string, error) {
	text, err := os.ReadFile(path)
	headers := map[string]string{}
	for _, line := range strings.Split(string(text), "\n") {
		if name, value, found := strings.Cut(line, ": "); found {
			headers[strings.ToLower(name)] = value
		}
	}
	return headers, err
}

func verifyFile(path, secret string, now int64) error {
	body, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	headers, err := readHeaders(strings.TrimSuffix(path, ".json") + ".headers")
	if err != nil {
		return err
	}
	if err := VerifyWebhook(body, headers, []string{secret}, now); err != nil {
		return err
	}
	return VerifyEvent(body, []string{secret})
}

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "Usage: go run verify_event.go SECRET now|UNIX_TIME FILE.json ...")
		os.Exit(2)
	}
	now := time.Now().Unix()
	if os.Args[2] != "now" {
		now, _ = strconv.ParseInt(os.Args[2], 10, 64)
	}
	refused := 0
	for _, path := range os.Args[3:] {
		if err := verifyFile(path, os.Args[1], now); err != nil {
			refused++
			fmt.Printf("refused %s: %v\n", path, err)
			continue
		}
		fmt.Printf("verified %s\n", path)
	}
	if refused > 0 {
		os.Exit(1)
	}
}
