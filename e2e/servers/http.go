package servers

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

// answers asks a URL and is content with 200.
func answers(ctx context.Context, client *http.Client, url string) error {
	_, err := call(ctx, client, http.MethodGet, url, nil, nil)
	return err
}

// call sends JSON, wants 200 or 204, and reads the answer into out, unless that is nil.
func call(ctx context.Context, client *http.Client, method, url string, in, out any) (status int, err error) {
	var body bytes.Buffer
	if in != nil {
		if err := json.NewEncoder(&body).Encode(in); err != nil {
			return 0, err
		}
	}
	r, err := http.NewRequestWithContext(ctx, method, url, &body)
	if err != nil {
		return 0, err
	}
	resp, err := client.Do(r)
	if err != nil {
		return 0, err
	}
	defer func() { _ = resp.Body.Close() }() // everything of it has been read
	raw, err := io.ReadAll(resp.Body)
	switch {
	case err != nil:
		return resp.StatusCode, err
	case resp.StatusCode != http.StatusOK && resp.StatusCode != http.StatusNoContent:
		return resp.StatusCode, fmt.Errorf("%s %s: %s: %s", method, url, resp.Status, bytes.TrimSpace(raw))
	case out == nil:
		return resp.StatusCode, nil
	}
	return resp.StatusCode, json.Unmarshal(raw, out)
}

// client is for servers on loopback: whatever proxy the environment names is none of their business.
var client = &http.Client{Transport: &http.Transport{}, Timeout: 10 * time.Second}
