module http2-reader

go 1.24
