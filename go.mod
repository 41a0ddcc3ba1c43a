module github.com/koda-video/koda

go 1.26
