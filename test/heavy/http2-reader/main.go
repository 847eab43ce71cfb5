// Reads a response over HTTP/2 with Go's client in pieces of a given size, and prints the protocol and the
// bytes: http2-reader URL BYTES_PER_READ TIMES
package main

import (
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"sync"
)

func main() {
	size, _ := strconv.Atoi(os.Args[2])
	times, _ := strconv.Atoi(os.Args[3])
	client := &http.Client{Transport: &http.Transport{
		ForceAttemptHTTP2: true,
		TLSClientConfig:   &tls.Config{InsecureSkipVerify: true},
	}}
	var wait sync.WaitGroup
	lines := make([]string, times)
	for i := range lines {
		wait.Add(1)
		go func() {
			defer wait.Done()
			lines[i] = read(client, os.Args[1], size)
		}()
	}
	wait.Wait()
	for _, line := range lines {
		fmt.Println(line)
	}
}

func read(client *http.Client, url string, size int) string {
	response, err := client.Get(url)
	if err != nil {
		return err.Error()
	}
	defer response.Body.Close()
	piece := make([]byte, size)
	sum := 0
	for {
		n, err := response.Body.Read(piece)
		sum += n
		if err == io.EOF {
			return fmt.Sprintf("%s %d", response.Proto, sum)
		}
		if err != nil {
			return err.Error()
		}
	}
}
