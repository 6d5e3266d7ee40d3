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

func send(events []map[string]any) (string, error) {
	body, err := json.Marshal(map[string]any{"events": events})
	if err != nil {
		return "", err
	}
	for attempt := 0; attempt < 10; attempt++ {
		pause := min(1<<attempt, 60)
		request, err := http.NewRequest("POST", os.Getenv("TRIBUTARY_URL")+"/v1/events", bytes.NewReader(body))
		if err != nil {
			return "", err
		}
		request.Header.Set("Authorization", "Bearer "+os.Getenv("TRIBUTARY_WRITE_KEY"))
		request.Header.Set("Content-Type", "application/json")
		if answer, err := client.Do(request); err == nil { // else: no answer
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
	event := map[string]any{"type": "conversion", "event_id": uuid(), "user_id": "bob", "name": "purchase"}
	receipt, err := send([]map[string]any{event})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(receipt)
}
