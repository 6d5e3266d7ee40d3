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
	"time"
)

var client = http.Client{Timeout: 10 * time.Second}

func post(body []byte, key string) (*http.Response, error) {
	request, err := http.NewRequest("POST", os.Getenv("TRIBUTARY_URL")+"/v1/events", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+key)
	request.Header.Set("Content-Type", "application/json")
	return client.Do(request)
}

func send(events []map[string]any) (string, error) {
	body, err := json.Marshal(map[string]any{"events": events})
	if err != nil {
		return "", err
	}
	for attempt := 0; attempt < 10; attempt++ {
		pause := min(1<<attempt, 60)
		if answer, err := post(body, os.Getenv("TRIBUTARY_WRITE_KEY")); err == nil { // else: no answer
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

func relay(body []byte) (int, string, []byte) {
	answer, err := post(body, os.Getenv("TRIBUTARY_APP_KEY"))
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
	if len(os.Args) > 1 && os.Args[1] == "relay" {
		body, _ := io.ReadAll(os.Stdin)
		status, retryAfter, text := relay(body)
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
