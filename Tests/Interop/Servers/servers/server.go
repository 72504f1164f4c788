// Reads forms with net/http. Usage: server PORT
package main

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"runtime"
	"strings"
)

type part struct {
	Name     string  `json:"name"`
	Filename *string `json:"filename"`
	Type     *string `json:"type"`
	Content  string  `json:"content"`
}

func read(writer http.ResponseWriter, request *http.Request) {
	if err := request.ParseMultipartForm(1 << 20); err != nil {
		http.Error(writer, err.Error(), http.StatusBadRequest)
		return
	}
	parts := []part{}
	for name, values := range request.MultipartForm.Value {
		for _, value := range values {
			parts = append(parts, part{name, nil, nil, base64.StdEncoding.EncodeToString([]byte(value))})
		}
	}
	for name, files := range request.MultipartForm.File {
		for _, header := range files {
			file, err := header.Open()
			if err != nil {
				http.Error(writer, err.Error(), http.StatusInternalServerError)
				return
			}
			content, err := io.ReadAll(file)
			if err != nil {
				http.Error(writer, err.Error(), http.StatusInternalServerError)
				return
			}
			contentType := header.Header.Get("Content-Type")
			encoded := base64.StdEncoding.EncodeToString(content)
			parts = append(parts, part{name, &header.Filename, &contentType, encoded})
		}
	}
	answer := map[string]any{"version": strings.TrimPrefix(runtime.Version(), "go"), "parts": parts}
	if err := json.NewEncoder(writer).Encode(answer); err != nil {
		log.Print(err)
	}
}

func main() {
	http.HandleFunc("/", read)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Args[1], nil))
}
