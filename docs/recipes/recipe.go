package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

var client = http.Client{Timeout: 10 * time.Second}

func ask(path string, body []byte, key, address string) (*http.Response, error) {
	method := "POST"
	if len(body) == 0 {
		method = "GET"
	}
	request, err := http.NewRequest(method, os.Getenv("TRIBUTARY_URL")+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+key)
	request.Header.Set("Content-Type", "application/json")
	if address != "" {
		request.Header.Set("X-Forwarded-For", address)
	}
	return client.Do(request)
}

func send(events []map[string]any) (string, error) {
	body, err := json.Marshal(map[string]any{"events": events})
	if err != nil {
		return "", err
	}
	for attempt := 0; attempt < 10; attempt++ {
		pause := min(1<<attempt, 60)
		if answer, err := ask("/v1/events", body, os.Getenv("TRIBUTARY_WRITE_KEY"), ""); err == nil { // else: no answer
			text, err := io.ReadAll(answer.Body)
			answer.Body.Close()
			switch status := answer.StatusCode; {
			case status < 300 && err == nil:
				return string(text), nil
			case status >= 300 && status < 500 && status != 408 && status != 429:
				return "", fmt.Errorf("%d: %s", status, text)
			}
			if seconds, err := strconv.Atoi(answer.Header.Get("Retry-After")); err == nil {
				pause = seconds
			}
		}
		time.Sleep(time.Duration(pause) * time.Second)
	}
	return "", fmt.Errorf("no answer after 10 tries")
}

func relay(path string, body []byte, address string) (int, string, []byte) {
	if name, _, _ := strings.Cut(path, "?"); name != "/v1/events" && name != "/v1/deferred-links" {
		return 404, "", nil
	}
	answer, err := ask(path, body, os.Getenv("TRIBUTARY_APP_KEY"), address)
	if err != nil {
		return 503, "5", nil
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return 503, "5", nil
	}
	return answer.StatusCode, answer.Header.Get("Retry-After"), text
}

func min(a, b int) int {
	if a < b {
		return a
	}
	return b
}

func uuid() string {
	b := make([]byte, 16)
	rand.Read(b)
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func main() {
	if len(os.Args) > 2 && os.Args[1] == "relay" {
		body, _ := io.ReadAll(os.Stdin)
		status, retryAfter, text := relay(os.Args[2], body, "192.0.2.1")
		fmt.Println(status, retryAfter, string(text))
		return
	}
	event := map[string]any{"type": "conversion", "event_id": uuid(), "user_id": "bob", "name": "purchase"}
	receipt, err := send([]map[string]any{event})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(receipt)
}
